// Generates the sections of docs/images.md about icon KIDs and image formats.

import { portalColorNames } from '../../src/lib/color/portal-color-names.ts';
import type { IconKid } from '../../src/lib/icon-kid.ts';
import { mediaTypeOf, rasterFormats, type RasterFormat } from '../../src/providers/raster/raster.ts';
import { addImage, type Gallery } from './images-gallery.ts';
import { exampleIconKid, shownIconSets, exampleColor } from './images-icons.ts';
import { code, codes, table } from './markdown.ts';

const iconKidExamples: readonly (readonly [file: string, part: Partial<IconKid>, text: string])[] = [
  ['count-1', { icons: ['mail'], count: 1n }, 'A count above 0 is shown in a badge'],
  ['count-12', { icons: ['house'], count: 12n }, 'The badge gets wider with every digit'],
  ['count-128', { icons: ['person'], count: 128n }, 'Its height stays the same'],
  ['count-largest', { icons: ['person'], count: 2n ** 63n - 1n }, 'It has space for the largest count'],
  ['under-ok', { icons: ['house', 'ok'] }, 'An under-icon'],
  ['under-offline', { icons: ['washer', 'wifi_off'] }, 'A gap around the under-icon is cut out of the main icon'],
  ['under-warning', { icons: ['door', 'warning'], count: 3n }, 'Below a badge, the icons are side by side'],
  ['under-other-set', { icons: ['sauna', 'coins'] }, 'The two icons can come from different sets'],
  ['text-short', { icons: ['house'], text: '7' }, 'A text is as large as its area allows'],
  ['text-number', { icons: ['house'], text: '1001' }, 'The house of a location shows its number'],
  ['text-latin', { icons: ['label'], text: 'Kælder' }, 'Latin letters'],
  ['text-cyrillic', { icons: ['building'], text: 'Дом 5' }, 'Cyrillic letters'],
  ['text-greek', { icons: ['document'], text: 'Αθήνα' }, 'Greek letters'],
  ['text-emoji', { icons: ['door'], text: '🏠' }, 'Unsupported characters are drawn as a box'],
  ['text-all', { icons: ['meter', 'ok'], text: '12', count: 4n }, 'Text does not touch badge and under-icon'],
  ['calendar', { icons: ['calendar'] }, 'The current day of the month, whatever the text'],
  ['color', { icons: ['calendar', 'key'], color: portalColorNames.Running, count: 2n }, 'A different colour'],
  ['none', { icons: [] }, 'No icon; the KID of any object draws this too'],
];

export function createIconKidSection(gallery: Gallery): string[] {
  const rows = iconKidExamples.map(([file, part, text]) => {
    const kid = exampleIconKid({ color: exampleColor, ...part });
    const images = shownIconSets.map((set) =>
      addImage(gallery, `carried/${set}-${file}.svg`, `icon/${set}/${kid}.svg`, {
        alt: `${text}, in ${set}`,
        width: 64,
      }),
    );
    return [...images, code(kid), text];
  });
  return [
    '### Count, under-icon and text',
    `Do not write a KID by hand: ${code(`GET icon/presentation?iconKid=house&text=7&count=3&color=${exampleColor}`)} returns the KID with these values. It contains the icons, joined by ${code('~')}, then ${code('~n')} and the count, ${code('~c')} and the colour, ${code('~t')} and the text. If there are several icons, the first two are drawn. The title of an SVG contains the count. The calendar shows the day in Copenhagen; this page was made with a fixed clock.`,
    table(['line', 'g', 'KID', ''], rows),
  ];
}

/** Formats without transparency. Without a background, theirs is white. */
const opaqueFormats: readonly RasterFormat[] = ['jpg', 'jpeg', 'ppm'];

export function createFormatsSection(): string[] {
  const extensionsByType = Map.groupBy(rasterFormats, mediaTypeOf);
  const rows = [...extensionsByType].map(([type, names]) => [
    codes(names),
    code(type),
    names.some((name) => opaqueFormats.includes(name)) ? 'no' : 'yes',
    names.includes('ico') ? '16 to 256' : '16 to 4096',
  ]);
  return [
    '### Formats',
    'The file extension of an icon is not case-sensitive. Any extension that is not in this table gives an SVG. Without a size, a raster image is 128 x 128 pixels. A size outside the limits is clamped.',
    table(
      ['Extension', 'Media type', 'Transparent without a background', 'Width and height in pixels'],
      [[code('svg'), code('image/svg+xml'), 'always', 'no fixed size'], ...rows],
    ),
  ];
}
