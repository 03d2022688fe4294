// The kinds that can be imported and exported, by their names.

import type { ImportKindName } from './rules/kind-names.ts';
import { banksKind } from './banks/banks.ts';
import { bookingsKind } from './bookings/bookings.ts';
import type { ImportKind } from './import-kind.ts';
import { installersKind } from './installers/installers.ts';
import { keysKind } from './keys/keys.ts';
import { locationsKind } from './locations/locations.ts';
import { managersKind } from './managers/managers.ts';
import { openingExceptionsKind } from './opening-exceptions/opening-exceptions.ts';
import { postingsKind } from './postings/postings.ts';
import { readingsKind } from './readings/readings.ts';
import { residentsKind } from './residents/residents.ts';
import { settingsKind } from './settings/settings.ts';
import { unitsKind } from './units/units.ts';

export const importKinds: Readonly<Record<ImportKindName, ImportKind>> = {
  banks: banksKind,
  locations: locationsKind,
  units: unitsKind,
  residents: residentsKind,
  keys: keysKind,
  settings: settingsKind,
  'opening-exceptions': openingExceptionsKind,
  readings: readingsKind,
  postings: postingsKind,
  bookings: bookingsKind,
  installers: installersKind,
  managers: managersKind,
};
