// The names of the kinds of data that can be imported.

import type { ImportKind } from '../api/operations.ts';
import type { TextKey } from '../language/catalogue.ts';

const kindTexts: Readonly<Record<ImportKind, TextKey>> = {
  banks: 'nav.banks',
  locations: 'bank.locations',
  units: 'word.units',
  residents: 'bank.residents',
  keys: 'resident.keys',
  settings: 'unit.settings',
  'opening-exceptions': 'hours.exceptions',
  readings: 'import.readings',
  postings: 'account.postings',
  bookings: 'bank.bookings',
  installers: 'nav.installers',
  managers: 'nav.managers',
};

/** The name of a kind; the service may have kinds that are newer than the console. */
export const textOfKind = (name: string): TextKey | undefined =>
  (kindTexts as Readonly<Record<string, TextKey | undefined>>)[name];
