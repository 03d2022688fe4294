// Reads the records of the outbox for managers, and replaces one that failed.

import type { Db, WriteDb } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { SyncState } from '../../outbox/rules/sync-state.ts';

/** The last record of a page. */
export type DeviceSyncPosition = readonly [syncId: number];

type DeviceSyncSelection = PageSlice<DeviceSyncPosition> & {
  readonly state: SyncState | undefined;
  readonly unit: { readonly locationId: number; readonly unitId: number } | undefined;
};

/** If the grants cover only some locations, only records of units there are selected. */
const selectRecords = (db: Db, { bankId, coverage }: GrantedBank) =>
  db
    .selectFrom('device_sync as d')
    .leftJoin('unit_settings as s', onEqual('s', 'd', 'bank_id', 'location_id', 'unit_id', 'sync_id'))
    .leftJoin('locations as l', onEqual('l', 'd', 'bank_id', 'location_id'))
    .select(['d.bank_id', 'd.sync_id', 'd.subject_kind', 'd.subject_id', 'd.location_id', 'd.unit_id', 'd.state'])
    .select([
      'd.code',
      'd.detail',
      'd.attempts',
      'd.created_at',
      'd.updated_at',
      's.name as setting_name',
      'l.time_zone',
    ])
    .where('d.bank_id', '=', bankId)
    .$if(coverage !== 'all', (query) =>
      query
        .where('d.unit_id', '<>', 0)
        .where(({ eb, lit }) =>
          coverage === 'all' || coverage.size === 0 ? lit(false) : eb('d.location_id', 'in', [...coverage]),
        ),
    );

/** The newest first. */
export const listDeviceSyncs = (
  db: Db,
  bank: GrantedBank,
  { state, unit, after, offset, limit }: DeviceSyncSelection,
) =>
  selectRecords(db, bank)
    .$if(state !== undefined, (query) => query.where('d.state', '=', state!))
    .$if(unit !== undefined, (query) =>
      query.where('d.location_id', '=', unit!.locationId).where('d.unit_id', '=', unit!.unitId),
    )
    .$if(after !== undefined, (query) => query.where('d.sync_id', '<', after![0]))
    .orderBy('d.sync_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

export type DeviceSyncRow = Awaited<ReturnType<typeof listDeviceSyncs>>[number];

export const findDeviceSync = (db: Db, bank: GrantedBank, syncId: number): Promise<DeviceSyncRow | undefined> =>
  selectRecords(db, bank).where('d.sync_id', '=', syncId).executeTakeFirst();

/** The setting's value, and its row in the history, are sent with the new record. */
export async function moveSettingToSync(
  db: WriteDb,
  { bankId }: GrantedBank,
  { location_id, unit_id, sync_id }: Pick<DeviceSyncRow, 'location_id' | 'unit_id' | 'sync_id'>,
  newSyncId: number,
): Promise<void> {
  for (const table of ['unit_settings', 'unit_setting_history'] as const)
    await db
      .updateTable(table)
      .set({ sync_id: newSyncId })
      .where('bank_id', '=', bankId)
      .where('location_id', '=', location_id)
      .where('unit_id', '=', unit_id)
      .where('sync_id', '=', sync_id)
      .execute();
}
