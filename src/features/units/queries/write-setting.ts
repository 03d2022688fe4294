// Writes a setting of a unit: its value, its history, and the record that sends it to the equipment.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import { runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { BankKey, GrantedUnit } from '../../../permissions/coverage.ts';
import { queueSync } from '../../outbox/queries/outbox.ts';

/** Every write of settings declares it. It adds their count to the version in the unit's row. */
export const unitLock = (unit: GrantedUnit, count = 1): Lock<void> =>
  createLock('unit', [unit.bankId, unit.locationId, unit.unitId], {
    update: (db) =>
      runPrepared(db, 'increment unit version', { ...unit, count }, (bind) =>
        db
          .updateTable('units')
          .set({ version: sql<number>`version + ${bind('count')}` })
          .where('bank_id', '=', bind<number>('bankId'))
          .where('location_id', '=', bind<number>('locationId'))
          .where('unit_id', '=', bind<number>('unitId')),
      ),
  });

/**
 * The lock of all units of a bank, each of which gets one version: for writes that find the units only in their work.
 */
export const unitsLock = ({ bankId }: BankKey): Lock<void> =>
  createLock('unit', [bankId], {
    update: (db) =>
      db
        .updateTable('units')
        .set({ version: sql<number>`version + 1` })
        .where('bank_id', '=', bankId)
        .execute(),
  });

type WriteSettingInput = {
  readonly name: string;
  readonly value: string | null;
  /** The unit's version after it was incremented. */
  readonly version: number;
  readonly editorId: number;
  /** MS2000. */
  readonly now: number;
  readonly isFirstValue: boolean;
};

/** Writes the value, its history row and the sync record, all with the same version. */
export async function writeSetting(
  db: WriteDb,
  unit: GrantedUnit,
  { isFirstValue, ...setting }: WriteSettingInput,
): Promise<void> {
  const values = { ...unit, ...setting };
  const { locationId, unitId } = unit;
  // Started together, run in this order: the rows of the setting refer to the sync record that was queued first.
  await Promise.all([
    queueSync(db, unit, { subjectKind: 'setting', subjectId: setting.version, locationId, unitId }, setting.now),
    isFirstValue
      ? runPrepared(db, 'insert setting', values, (bind) =>
          db.insertInto('unit_settings').values(settingRowColumns(bind)),
        )
      : runPrepared(db, 'update setting', values, (bind) => updateSetting(db, bind)),
    runPrepared(db, 'insert setting history', values, (bind) =>
      db.insertInto('unit_setting_history').values(settingRowColumns(bind)),
    ),
  ]);
}

function updateSetting(db: WriteDb, bind: BindParameter) {
  const { bank_id: bank, location_id: location, unit_id: unit, name, ...set } = settingRowColumns(bind);
  return db
    .updateTable('unit_settings')
    .set(set)
    .where('bank_id', '=', bank)
    .where('location_id', '=', location)
    .where('unit_id', '=', unit)
    .where('name', '=', name);
}

type UnitSettingColumns = Tables['unit_settings'];

const settingRowColumns = (bind: BindParameter) => ({
  bank_id: bind<number>('bankId'),
  location_id: bind<number>('locationId'),
  unit_id: bind<number>('unitId'),
  name: bind<string>('name'),
  value: bind<UnitSettingColumns['value']>('value'),
  version: bind<number>('version'),
  changed_at: bind<number>('now'),
  editor_id: bind<UnitSettingColumns['editor_id']>('editorId'),
  sync_id: sql<UnitSettingColumns['sync_id']>`(select queued from device_sync_heads where bank_id = ${bind('bankId')})`,
});
