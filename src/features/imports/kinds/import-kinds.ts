// The kinds that can be imported and exported, by their names.

import type { ImportKindName } from '../rules/kind-names.ts';
import { banksKind } from './banks.ts';
import { bookingsKind } from './bookings.ts';
import type { ImportKind } from './import-kind.ts';
import { installersKind } from './installers.ts';
import { keysKind } from './keys.ts';
import { locationsKind } from './locations.ts';
import { managersKind } from './managers.ts';
import { openingExceptionsKind } from './opening-exceptions.ts';
import { postingsKind } from './postings.ts';
import { readingsKind } from './readings.ts';
import { residentsKind } from './residents.ts';
import { settingsKind } from './settings.ts';
import { unitsKind } from './units.ts';

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
