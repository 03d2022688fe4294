// Writing a setting of a unit: its guard row, what it is now, what it was given, and the record for the equipment.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { runPrepared, type BindParameter } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import { queueSync } from '../../device-sync/queries/outbox.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';

/** Bumps the guard row of a unit's settings; what is no unit has none. */
export async function incrementUnitVersion(db: WriteDb, at: UnitKey): Promise<void> {
  await runPrepared(db, 'bump of a unit', { ...at }, (bind) =>
    db
      .updateTable('units')
      .set({ version: sql<number>`version + 1` })
      .where('bank_id', '=', bind<number>('bankId'))
      .where('location_id', '=', bind<number>('locationId'))
      .where('unit_id', '=', bind<number>('unitId')),
  );
}

/** What a manager is called now. */
export async function findManagerName(db: Db, managerId: number): Promise<string | null> {
  const [manager] = await runPrepared(db, 'name of a manager', { managerId }, (slot) =>
    db.selectFrom('managers').select('name').where('manager_id', '=', slot<number>('managerId')),
  );
  return manager?.name ?? null;
}

export type WriteSettingInput = {
  readonly name: string;
  readonly value: string | null;
  /** The unit's version that its guard row was bumped to. */
  readonly version: number;
  readonly editorId: number;
};

/** Writes the value, its row of history and the record that tells the equipment, which all bear the same version. */
export async function writeSetting(
  db: WriteDb,
  at: UnitKey,
  { name, value, version, editorId }: WriteSettingInput,
  isFirstValue: boolean,
  now: number,
): Promise<void> {
  const values = { ...at, name, value, version, now, editorId };
  // Asked for in the same turn, and run in this order: the record's number is known by the time that it is needed.
  await Promise.all([
    queueSync(db, { ...at, subjectKind: 'setting', subjectId: version }, now),
    isFirstValue
      ? runPrepared(db, 'first value of a setting', values, (slot) =>
          db.insertInto('unit_settings').values(settingRowColumns(slot)),
        )
      : runPrepared(db, 'next value of a setting', values, (slot) => updateSetting(db, slot)),
    runPrepared(db, 'history row of a setting', values, (slot) =>
      db.insertInto('unit_setting_history').values(settingRowColumns(slot)),
    ),
  ]);
}

function updateSetting(db: WriteDb, slot: BindParameter) {
  const { bank_id: bank, location_id: location, unit_id: unit, name, ...set } = settingRowColumns(slot);
  return db
    .updateTable('unit_settings')
    .set(set)
    .where('bank_id', '=', bank)
    .where('location_id', '=', location)
    .where('unit_id', '=', unit)
    .where('name', '=', name);
}

type UnitSettingColumns = Tables['unit_settings'];

const settingRowColumns = (slot: BindParameter) => ({
  bank_id: slot<number>('bankId'),
  location_id: slot<number>('locationId'),
  unit_id: slot<number>('unitId'),
  name: slot<string>('name'),
  value: slot<UnitSettingColumns['value']>('value'),
  version: slot<number>('version'),
  changed_at: slot<number>('now'),
  editor_id: slot<UnitSettingColumns['editor_id']>('editorId'),
  sync_id: sql<UnitSettingColumns['sync_id']>`(select queued from device_sync_heads where bank_id = ${slot('bankId')})`,
});
