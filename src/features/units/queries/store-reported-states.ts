// Stores what devices report: the states of units, and settings that were changed at a device.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { replaceRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank, UnitKey, GrantedUnit } from '../../../permissions/coverage.ts';
import { updateSyncState } from '../../outbox/queries/outbox.ts';
import type { SyncState } from '../../outbox/rules/sync-state.ts';

type ReportedState = {
  readonly unit: UnitKey;
  readonly name: string;
  /** The value as it is stored. */
  readonly value: string | null;
  /** MS2000. */
  readonly at: number;
};

type StateRow = Tables['unit_states'];

/** The last one of several values of one time counts. The rows are written in one order, whoever reports them. */
export async function storeReportedStates(
  db: WriteDb,
  bank: GrantedBank,
  states: readonly ReportedState[],
): Promise<void> {
  const newest = new Map<string, StateRow>();
  for (const { unit, name, value, at } of states) {
    const row = {
      bank_id: bank.bankId,
      location_id: unit.locationId,
      unit_id: unit.unitId,
      name,
      value,
      reported_at: at,
    };
    if (at >= (newest.get(rowKeyOf(row))?.reported_at ?? at)) newest.set(rowKeyOf(row), row);
  }
  if (newest.size === 0) return;
  const reportedAt = await readReportTimes(db, bank, [...newest.values()]);
  const newer = [...newest]
    .filter(([key, { reported_at }]) => reported_at >= (reportedAt.get(key) ?? reported_at))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  await replaceRows(
    db,
    'unit_states',
    newer.map(([, row]) => row),
  );
}

const rowKeyOf = ({ location_id, unit_id, name }: Pick<StateRow, 'location_id' | 'unit_id' | 'name'>): string =>
  `${location_id}/${unit_id}/${name}`;

async function readReportTimes(
  db: Db,
  { bankId }: GrantedBank,
  rows: readonly StateRow[],
): Promise<ReadonlyMap<string, number>> {
  const units = [...new Map(rows.map((row) => [`${row.location_id}/${row.unit_id}`, row])).values()];
  const isOfUnits = units.map(
    ({ location_id, unit_id }) => sql`(location_id = ${location_id} and unit_id = ${unit_id})`,
  );
  const stored = await db
    .selectFrom('unit_states')
    .select(['location_id', 'unit_id', 'name', 'reported_at'])
    .where('bank_id', '=', bankId)
    .where(sql<boolean>`(${sql.join(isOfUnits, sql` or `)})`)
    .execute();
  return new Map(stored.map((row) => [rowKeyOf(row), row.reported_at]));
}

export type ReportedSetting = {
  readonly name: string;
  /** MS2000. */
  readonly at: number;
  readonly value: string | null;
};

/** `version` is one that the unit's lock has reserved. */
export async function writeReportedSetting(
  db: WriteDb,
  unit: GrantedUnit,
  { name, at, value, version }: ReportedSetting & { readonly version: number },
): Promise<void> {
  const stored = await findSetting(db, unit, name);
  const written: Tables['unit_settings'] = {
    ...unitColumns(unit),
    name,
    value,
    version,
    changed_at: at,
    editor_id: null,
    sync_id: null,
  };
  await db.insertInto('unit_setting_history').values(written).execute();
  if (stored !== undefined && isLater(stored, at)) return;
  await db.replaceInto('unit_settings').values(written).execute();
  if (stored !== undefined) await supersede(db, unit, stored, at);
}

type StoredSetting = Pick<Tables['unit_settings'], 'changed_at' | 'editor_id' | 'sync_id'> & {
  readonly sync_state: string | null;
};

/** If two changes have the same time, that of the manager is the later one. */
const isLater = ({ changed_at, editor_id }: StoredSetting, at: number): boolean =>
  changed_at > at || (changed_at === at && editor_id !== null);

/** What a manager wrote before is no longer sent to the device. */
async function supersede(
  db: WriteDb,
  unit: GrantedUnit,
  { sync_id, sync_state }: StoredSetting,
  now: number,
): Promise<void> {
  if (sync_id === null || (sync_state !== 'queued' && sync_state !== 'sent')) return;
  await updateSyncState(db, unit, { syncId: sync_id, from: sync_state satisfies SyncState, to: 'superseded' }, now);
}

const findSetting = (
  db: Db,
  { bankId, locationId, unitId }: GrantedUnit,
  name: string,
): Promise<StoredSetting | undefined> =>
  db
    .selectFrom('unit_settings as s')
    .leftJoin('device_sync as d', onEqual('d', 's', 'bank_id', 'sync_id'))
    .select(['s.changed_at', 's.editor_id', 's.sync_id', 'd.state as sync_state'])
    .where('s.bank_id', '=', bankId)
    .where('s.location_id', '=', locationId)
    .where('s.unit_id', '=', unitId)
    .where('s.name', '=', name)
    .executeTakeFirst();

export const unitColumns = ({ bankId, locationId, unitId }: GrantedUnit) => ({
  bank_id: bankId,
  location_id: locationId,
  unit_id: unitId,
});
