// Generates the sections of docs/images.md that show every icon in both sets.

import { icons as allIcons, type CatalogueIcon } from '../../src/features/icons/assets/icon-catalogue.ts';
import { findDrawing, type IconSet } from '../../src/features/icons/assets/icon-sets.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { formatIconKid, type IconKid } from '../../src/lib/icon-kid.ts';
import { formatPathTable } from './images-svg.ts';
import { formatGrid, addImage, type Gallery } from './images-gallery.ts';
import { code, codes } from './markdown.ts';

export const shownIconSets = ['line', 'g'] as const satisfies readonly IconSet[];

/** A grey with the same contrast on dark and on light pages. */
export const exampleColor = 0x6f7c84;

export const exampleIconKid = (part: Partial<IconKid>): string => {
  const kid = formatIconKid({ icons: [], count: 0n, color: 0, text: '', ...part });
  if (kid === undefined) throw new Error(`no KID has ${JSON.stringify(part.icons)}`);
  return kid;
};

export function createIconsSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const sizes = [16, 24, 32, 48, 64];
  const sized = sizes.map((width) => {
    const images = shownIconSets.map((set) => addIconImage(gallery, set, 'washer', width));
    return `${images.join('&nbsp;&nbsp;')}<br>${width}`;
  });
  return [
    '## Icons',
    formatPathTable(operations, 'Icons'),
    `There are two sets: ${code('line')}, drawn with strokes, and ${code('g')}, drawn with filled areas. If the chosen set has no drawing, the other set is used. ${code('{kid}')} is the name of an icon, or an ${code('iconKid')} from a response, with a colour, a count and a text (default: black, 0 and none). The icons on this page have the colour ${code(exampleColor.toString(16))}, which is visible on light and dark pages.`,
    'Size and background apply to raster images only. An SVG has neither, and is sharp at any size:',
    formatGrid(sizes.length, 168, sized),
  ];
}

function addIconImage(gallery: Gallery, set: IconSet, name: string, width: number): string {
  const path = `icon/${set}/${exampleIconKid({ icons: [name], color: exampleColor })}.svg`;
  return addImage(gallery, `${set}/${name}.svg`, path, { alt: `${name} in ${set}`, width });
}

export function createCatalogueSection(gallery: Gallery): string[] {
  const retired = allIcons.filter((icon) => icon.retired === true).map(({ name }) => name);
  const all = allIcons.filter((icon) => icon.retired !== true);
  const categories = Map.groupBy(all, ({ category }) => category);
  return [
    '### Catalogue',
    `Each of the ${all.length} icons in ${code('line')}, then in ${code('g')}. Icons marked “text” have an area for text.`,
    ...[...categories].flatMap(([category, members]) => [
      `#### ${category.charAt(0).toUpperCase()}${category.slice(1)}`,
      formatGrid(
        5,
        168,
        members.map((icon) => createCatalogueEntry(gallery, icon)),
      ),
    ]),
    `Retired: ${codes(retired)}. Objects that use one keep it, but it is no longer drawn: its path is a 404. Sources and licences of the drawings: [assets/icons](../assets/icons/README.md).`,
  ];
}

function createCatalogueEntry(gallery: Gallery, { name }: CatalogueIcon): string {
  const images = shownIconSets.map((set) => addIconImage(gallery, set, name, 40));
  const notes = shownIconSets.flatMap((set) => {
    const found = findDrawing(set, name)?.set;
    return found === set ? [] : [`not in ${set}, drawn from ${found}`];
  });
  if (findDrawing('line', name)?.drawing.textArea !== undefined) notes.push(name === 'calendar' ? 'day' : 'text');
  const note = notes.length === 0 ? '' : `<br><sub>${notes.join(', ')}</sub>`;
  return `${images.join('&nbsp;&nbsp;&nbsp;')}<br><code>${name}</code>${note}`;
}
