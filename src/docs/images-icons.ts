// The icons of docs/images.md, all of them, in both sets.

import { icons as allIcons, type CatalogueIcon } from '../features/icons/icon-catalogue.ts';
import { findDrawing, type IconSet } from '../features/icons/icon-sets.ts';
import type { Operation } from '../http/operation.ts';
import { formatIconKid, type IconKid } from '../lib/icon-kid.ts';
import { formatPathTable } from './images-svg.ts';
import { formatGrid, addImage, type Gallery } from './images-gallery.ts';
import { code, codes } from './markdown.ts';

export const iconSets = ['line', 'g'] as const satisfies readonly IconSet[];

/** Black would not be seen on a dark page, nor white on a light one; this stands out as much from either. */
export const exampleColor = 0x6f7c84;

export const exampleIconKid = (part: Partial<IconKid>): string => {
  const kid = formatIconKid({ icons: [], count: 0n, color: 0, text: '', ...part });
  if (kid === undefined) throw new Error(`no KID has ${JSON.stringify(part.icons)}`);
  return kid;
};

export function createIconsSection(gallery: Gallery, operations: readonly Operation[]): string[] {
  const sizes = [16, 24, 32, 48, 64];
  const sized = sizes.map((width) => {
    const pictures = iconSets.map((set) => addIconImage(gallery, set, 'washer', width));
    return `${pictures.join('&nbsp;&nbsp;')}<br>${width}`;
  });
  return [
    '## Icons',
    formatPathTable(operations, 'Icons'),
    `There are two sets: ${code('line')}, drawn in strokes, and ${code('g')}, drawn in areas. What the chosen one lacks is taken from the other. ${code('{kid}')} is an icon’s name, or an ${code('iconKid')} as answers carry it: with a colour, a count and a text (black, 0 and none where it says nothing). Here the icons have the colour ${code(exampleColor.toString(16))}, which is seen on light and on dark pages.`,
    'Size and background are a raster image’s; an SVG has neither, and is sharp at any size:',
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
    `Each of the ${all.length} icons in ${code('line')}, then in ${code('g')}. Those marked “text” have a place for one.`,
    ...[...categories].flatMap(([category, members]) => [
      `#### ${category.charAt(0).toUpperCase()}${category.slice(1)}`,
      formatGrid(
        5,
        168,
        members.map((icon) => createCatalogueEntry(gallery, icon)),
      ),
    ]),
    `Retired: ${codes(retired)}. What has one keeps it, but there is no drawing of it any more: its path is a 404. Where the drawings come from, and under which licences: [assets/icons](../assets/icons/README.md).`,
  ];
}

function createCatalogueEntry(gallery: Gallery, { name }: CatalogueIcon): string {
  const pictures = iconSets.map((set) => addIconImage(gallery, set, name, 40));
  const notes = iconSets.flatMap((set) => {
    const found = findDrawing(set, name)?.set;
    return found === set ? [] : [`not in ${set}: this is ${found}’s`];
  });
  if (findDrawing('line', name)?.drawing.textArea !== undefined) notes.push(name === 'calendar' ? 'day' : 'text');
  const note = notes.length === 0 ? '' : `<br><sub>${notes.join(', ')}</sub>`;
  return `${pictures.join('&nbsp;&nbsp;&nbsp;')}<br><code>${name}</code>${note}`;
}
