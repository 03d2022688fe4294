// What icons can carry, and the formats they come in, on docs/images.md.

import { portalColorNames } from '../lib/color/portal-color-names.ts';
import type { IconKid } from '../lib/icon-kid.ts';
import { mediaTypeOf, rasterFormats, type RasterFormat } from '../providers/raster/raster.ts';
import { addImage, type Gallery } from './images-gallery.ts';
import { exampleIconKid, iconSets, exampleColor } from './images-icons.ts';
import { code, codes, table } from './markdown.ts';

const iconKidExamples: readonly (readonly [file: string, part: Partial<IconKid>, says: string])[] = [
  ['count-1', { icons: ['mail'], count: 1n }, 'A count above 0 stands in a badge'],
  ['count-12', { icons: ['house'], count: 12n }, 'which widens with every digit'],
  ['count-128', { icons: ['person'], count: 128n }, 'at the same height'],
  ['count-largest', { icons: ['person'], count: 2n ** 63n - 1n }, 'and holds the largest there is'],
  ['under-ok', { icons: ['house', 'ok'] }, 'An under-icon'],
  ['under-offline', { icons: ['washer', 'wifi_off'] }, 'cuts its outline out of the main icon'],
  ['under-warning', { icons: ['door', 'warning'], count: 3n }, 'and stands beside it below a badge'],
  ['under-other-set', { icons: ['sauna', 'coins'] }, 'The two may come from two sets'],
  ['text-short', { icons: ['house'], text: '7' }, 'A text is as large as its place allows'],
  ['text-number', { icons: ['house'], text: '1001' }, 'A location’s house carries its number'],
  ['text-latin', { icons: ['label'], text: 'Kælder' }, 'Latin letters'],
  ['text-cyrillic', { icons: ['building'], text: 'Дом 5' }, 'Cyrillic ones'],
  ['text-greek', { icons: ['document'], text: 'Αθήνα' }, 'and Greek ones are there'],
  ['text-emoji', { icons: ['door'], text: '🏠' }, 'what is not is a box'],
  ['text-all', { icons: ['meter', 'ok'], text: '12', count: 4n }, 'It keeps clear of badge and under-icon'],
  ['calendar', { icons: ['calendar'] }, 'Today’s day of the month, whatever its text'],
  ['color', { icons: ['calendar', 'key'], color: portalColorNames.Running, count: 2n }, 'In another colour'],
  ['none', { icons: [] }, 'Without an icon, and for the KID of any object'],
];

export function createIconKidSection(gallery: Gallery): string[] {
  const rows = iconKidExamples.map(([file, part, says]) => {
    const kid = exampleIconKid({ color: exampleColor, ...part });
    const pictures = iconSets.map((set) =>
      addImage(gallery, `carried/${set}-${file}.svg`, `icon/${set}/${kid}.svg`, {
        alt: `${says}, in ${set}`,
        width: 64,
      }),
    );
    return [...pictures, code(kid), says];
  });
  return [
    '### Count, under-icon and text',
    `A KID is not written by hand: ${code(`GET icon/presentation?iconKid=house&text=7&count=3&color=${exampleColor}`)} answers the one that carries them. It holds the icons, joined by ${code('~')}, then ${code('~n')} and the count, ${code('~c')} and the colour, ${code('~t')} and the text; of several icons the first two are drawn. An SVG’s title has the count in full. The calendar’s day is that of Copenhagen; on this page the clock stands still.`,
    table(['line', 'g', 'KID', ''], rows),
  ];
}

/** Of these nothing can be transparent: without a background theirs is white. */
const opaqueFormats: readonly RasterFormat[] = ['jpg', 'jpeg', 'ppm'];

export function createFormatsSection(): string[] {
  const endings = Map.groupBy(rasterFormats, mediaTypeOf);
  const rows = [...endings].map(([type, names]) => [
    codes(names),
    code(type),
    names.some((name) => opaqueFormats.includes(name)) ? 'no' : 'yes',
    names.includes('ico') ? '16 to 256' : '16 to 4096',
  ]);
  return [
    '### Formats',
    'An icon’s ending, in any case. One that is not here is answered as SVG. A raster image without a size has 128 pixels a side; a size beyond the bounds is clamped to them.',
    table(
      ['Ending', 'Media type', 'Transparent without a background', 'Pixels a side'],
      [[code('svg'), code('image/svg+xml'), 'always', 'none of its own'], ...rows],
    ),
  ];
}
