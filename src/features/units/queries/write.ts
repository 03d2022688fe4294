// Writing a setting of a unit: its guard row, what it is now, what it was given, and the record for the equipment.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import type { Tables } from '../../../database/tables.ts';
import { queueSync } from '../../device-sync/queries.ts';
import type { UnitAt } from '../../places/sight.ts';

/** Bumps the guard row of a unit's settings; what is no unit has none. */
export async function bumpUnit(db: WriteDb, at: UnitAt): Promise<void> {
  await runPrepared(db, 'bump of a unit', { ...at }, (slot) =>
    db
      .updateTable('units')
      .set({ version: sql<number>`version + 1` })
      .where('bank_id', '=', slot<number>('bankId'))
      .where('location_id', '=', slot<number>('locationId'))
      .where('unit_id', '=', slot<number>('unitId')),
  );
}

/** What a manager is called now. */
export async function findManagerName(db: Db, managerId: number): Promise<string | null> {
  const [manager] = await runPrepared(db, 'name of a manager', { managerId }, (slot) =>
    db.selectFrom('managers').select('name').where('manager_id', '=', slot<number>('managerId')),
  );
  return manager?.name ?? null;
}

export type NewValue = {
  readonly name: string;
  readonly value: string | null;
  /** The unit's version that its guard row was bumped to. */
  readonly version: number;
  readonly editorId: number;
};

/** Writes the value, its row of history and the record that tells the equipment, which all bear the same version. */
export async function writeSetting(
  db: WriteDb,
  at: UnitAt,
  { name, value, version, editorId }: NewValue,
  isFirst: boolean,
  now: number,
): Promise<void> {
  const values = { ...at, name, value, version, now, editorId };
  // Asked for in the same turn, and run in this order: the record's number is known by the time that it is needed.
  await Promise.all([
    queueSync(db, { ...at, subjectKind: 'setting', subjectId: version }, now),
    isFirst
      ? runPrepared(db, 'first value of a setting', values, (slot) =>
          db.insertInto('unit_settings').values(rowOf(slot)),
        )
      : runPrepared(db, 'next value of a setting', values, (slot) => nextValue(db, slot)),
    runPrepared(db, 'history row of a setting', values, (slot) =>
      db.insertInto('unit_setting_history').values(rowOf(slot)),
    ),
  ]);
}

function nextValue(db: WriteDb, slot: At) {
  const { bank_id: bank, location_id: location, unit_id: unit, name, ...set } = rowOf(slot);
  return db
    .updateTable('unit_settings')
    .set(set)
    .where('bank_id', '=', bank)
    .where('location_id', '=', location)
    .where('unit_id', '=', unit)
    .where('name', '=', name);
}

type Columns = Tables['unit_settings'];

const rowOf = (slot: At) => ({
  bank_id: slot<number>('bankId'),
  location_id: slot<number>('locationId'),
  unit_id: slot<number>('unitId'),
  name: slot<string>('name'),
  value: slot<Columns['value']>('value'),
  version: slot<number>('version'),
  changed_at: slot<number>('now'),
  editor_id: slot<Columns['editor_id']>('editorId'),
  sync_id: sql<Columns['sync_id']>`(select queued from device_sync_heads where bank_id = ${slot('bankId')})`,
});
