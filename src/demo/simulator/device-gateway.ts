// Simulates the gateway to the devices of a demo database. Records for online units are sent and acknowledged a few
// seconds after they were queued; records for offline units stay queued.

import type { Tables } from '../../database/tables.ts';
import type { Db, WriteDb } from '../../database/db.ts';
import { requireCoveredBank } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { updateSyncState } from '../../features/device-sync/queries/outbox.ts';
import { onlineThreshold } from '../places/last-contacts.ts';

const deliveryDelayMs = 2000;
const maxRecordsPerRun = 50;

type DueRecord = Pick<Tables['device_sync'], 'bank_id' | 'sync_id'>;

/**
 * The records that can be delivered now, in queue order within a bank. A record without a unit can always be delivered.
 */
export function listDueRecords(db: Db, now: number): Promise<DueRecord[]> {
  // The index by state finds queued records without reading acknowledged ones.
  return db
    .selectFrom('device_sync as waiting')
    .innerJoin('device_sync as d', (join) =>
      join.onRef('d.bank_id', '=', 'waiting.bank_id').onRef('d.sync_id', '=', 'waiting.sync_id'),
    )
    .innerJoin('banks as b', 'b.bank_id', 'd.bank_id')
    .leftJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 'd.bank_id')
        .onRef('u.location_id', '=', 'd.location_id')
        .onRef('u.unit_id', '=', 'd.unit_id')
        .on('u.deleted_at', 'is', null),
    )
    .select(['waiting.bank_id', 'waiting.sync_id'])
    .where('waiting.bank_id', 'in', (eb) => eb.selectFrom('banks').select('bank_id'))
    .where('waiting.state', '=', 'queued')
    .where('d.created_at', '<=', now - deliveryDelayMs)
    .where((eb) => eb.or([eb('d.unit_id', '=', 0), eb('u.last_contact_at', '>', onlineThreshold(now))]))
    .orderBy('waiting.bank_id')
    .orderBy('waiting.sync_id')
    .limit(maxRecordsPerRun)
    .execute();
}

export async function deliverRecords(db: WriteDb, scope: Scope, due: readonly DueRecord[], now: number): Promise<void> {
  // Sent together; the engine runs them in this order.
  const moves = due.flatMap(({ bank_id: bankId, sync_id: syncId }) => {
    const bank = requireCoveredBank(scope, { bankId });
    return [
      updateSyncState(db, bank, { syncId, from: 'queued', to: 'sent' }, now),
      updateSyncState(db, bank, { syncId, from: 'sent', to: 'acknowledged' }, now),
    ];
  });
  await Promise.all(moves);
}
