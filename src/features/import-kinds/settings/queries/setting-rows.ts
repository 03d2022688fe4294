// Reads stored settings of a bank's units.

import type { Db } from '../../../../database/db.ts';
import type { BankKey, UnitKey } from '../../../../permissions/coverage.ts';

const selectSettings = (db: Db, { bankId }: BankKey) =>
  db
    .selectFrom('unit_settings')
    .select(['location_id', 'unit_id', 'name', 'value', 'version'])
    .where('bank_id', '=', bankId);

/** The settings of these names and units; others of the same locations may be among them. */
export const listSettingsOf = (db: Db, bank: BankKey, units: readonly UnitKey[], names: readonly string[]) =>
  units.length === 0 || names.length === 0
    ? Promise.resolve([])
    : selectSettings(db, bank)
        .where(({ ref }) => db.dialect.inList(ref('location_id'), [...new Set(units.map((unit) => unit.locationId))]))
        .where(({ ref }) => db.dialect.inList(ref('unit_id'), [...new Set(units.map((unit) => unit.unitId))]))
        .where('name', 'in', names)
        .execute();

/** All settings of a location that were ever written, by unit and name. */
export const listSettingsOfLocation = (db: Db, bank: BankKey, locationId: number) =>
  selectSettings(db, bank).where('location_id', '=', locationId).orderBy('unit_id').orderBy('name').execute();

export type WrittenSettingRow = Awaited<ReturnType<typeof listSettingsOf>>[number];
