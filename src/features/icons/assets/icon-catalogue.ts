// Reads the catalogue of icons: their names, which KIDs and settings contain, their numbers and categories.

import { readFileSync } from 'node:fs';

type IconCategory =
  | 'general'
  | 'places'
  | 'units'
  | 'facility'
  | 'persons'
  | 'services'
  | 'states'
  | 'bookings'
  | 'money'
  | 'documents'
  | 'settings';

export type CatalogueIcon = {
  readonly name: string;
  readonly category: IconCategory;
  /** No set has a drawing of it any more. Objects that use it keep it, but it cannot be chosen again. */
  readonly retired?: true;
};

const catalogueFile = new URL('../../../../assets/icons/catalogue.json', import.meta.url);

/** The index of an icon is its number; that of `none` is 0. So icons are appended, never moved or removed. */
export const icons: readonly CatalogueIcon[] = JSON.parse(readFileSync(catalogueFile, 'utf8')) as CatalogueIcon[];

const names: ReadonlySet<string> = new Set(icons.map(({ name }) => name));

export const isIcon = (name: string): boolean => names.has(name);

/** The name of an icon, from a text in any case. */
export function findIconName(text: string): string | undefined {
  // ASCII only: toLowerCase() would also turn the Kelvin sign into k.
  const name = /^[A-Za-z0-9_]+$/.test(text) ? text.toLowerCase() : '';
  return names.has(name) ? name : undefined;
}

/** The names in a category that can be chosen, in the order of the catalogue. */
export const listIconNames = (category: IconCategory): string[] => icons.filter((icon) => icon.category === category && icon.retired !== true).map(({ name }) => name);
