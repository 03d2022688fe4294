// Which icons there are: their names, which KIDs and settings carry, their numbers and what they are about.

import { readFileSync } from 'node:fs';

export type IconCategory =
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
  /** Its pictures are gone: what has it keeps it, and nothing is given it anew. */
  readonly retired?: true;
};

const catalogueFile = new URL('../../../assets/icons/catalogue.json', import.meta.url);

/** An icon's number is its place here, and that of `none` is 0. Icons are appended, never moved or taken out. */
export const icons: readonly CatalogueIcon[] = JSON.parse(readFileSync(catalogueFile, 'utf8')) as CatalogueIcon[];

const numberByName: ReadonlyMap<string, number> = new Map(icons.map(({ name }, number) => [name, number]));

export const isIcon = (name: string): boolean => numberByName.has(name);

/** Undefined for a name that no icon has. */
export const findIconNumber = (name: string): number | undefined => numberByName.get(name);

/** The icon of a name written in any case. */
export function findIconName(text: string): string | undefined {
  // Any case means ASCII: lower case makes a letter of the Kelvin sign, too.
  const name = /^[A-Za-z0-9_]+$/.test(text) ? text.toLowerCase() : '';
  return numberByName.has(name) ? name : undefined;
}

/** The names that may be chosen out of a category, in the catalogue's order. */
export function listIconNames(category: IconCategory): string[] {
  return icons.filter((icon) => icon.category === category && icon.retired !== true).map(({ name }) => name);
}
