// Writes a setting that was changed at the device: its history, and its value unless a manager has written a later one.
// Nothing is queued, since the device has the value.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import { updateSyncState } from '../../device-sync/queries/outbox.ts';
import type { SyncState } from '../../device-sync/rules/sync-state.ts';

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
    .leftJoin('device_sync as d', (join) =>
      join.onRef('d.bank_id', '=', 's.bank_id').onRef('d.sync_id', '=', 's.sync_id'),
    )
    .select(['s.changed_at', 's.editor_id', 's.sync_id', 'd.state as sync_state'])
    .where('s.bank_id', '=', bankId)
    .where('s.location_id', '=', locationId)
    .where('s.unit_id', '=', unitId)
    .where('s.name', '=', name)
    .executeTakeFirst();

const unitColumns = ({ bankId, locationId, unitId }: GrantedUnit) => ({
  bank_id: bankId,
  location_id: locationId,
  unit_id: unitId,
});
