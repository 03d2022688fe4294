// The kinds that can be imported and exported, by their names.

import type { ImportKindName } from '../rules/kind-names.ts';
import { banksKind } from './banks.ts';
import type { ImportKind } from './import-kind.ts';
import { locationsKind } from './locations.ts';
import { openingExceptionsKind } from './opening-exceptions.ts';
import { residentsKind } from './residents.ts';
import { settingsKind } from './settings.ts';
import { unitsKind } from './units.ts';
import { postingsKind } from './postings.ts';

export const importKinds: Readonly<Record<ImportKindName, ImportKind>> = {

  postings: postingsKind,  banks: banksKind,
  locations: locationsKind,
  units: unitsKind,
  residents: residentsKind,
  settings: settingsKind,
  'opening-exceptions': openingExceptionsKind,
} as Record<ImportKindName, ImportKind>;
