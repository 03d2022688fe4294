// The outbox towards the devices of a bank. A record is queued in the transaction that makes the change it tells of, so
// that neither is there without the other; a gateway takes the records in the order of their ids. Delivery is its affair.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { isAllowedTransition, type SubjectKind, type SyncState } from '../rules/sync-state.ts';

export type QueueSyncInput = {
  readonly bankId: number;
  readonly subjectKind: SubjectKind;
  readonly subjectId: number;
  /** Where the device is; 0 where there is none. */
  readonly locationId: number;
  readonly unitId: number;
};

/**
 * Holds the outbox for the rest of the transaction, as its first statement of all: everybody else's guard rows come after
 * it. Otherwise a record that is queued once this transaction has read anything, of another unit even, would undo it.
 */
export const lockOutbox = (db: WriteDb, bankId: number): Promise<void> => addQueuedSyncs(db, bankId, 0);

/** Queues a record; answers its id. Records of one bank are numbered without a gap, in the order of their commits. */
export async function queueSync(db: WriteDb, record: QueueSyncInput, now: number): Promise<number> {
  const { bankId } = record;
  const countUpdate = addQueuedSyncs(db, bankId, 1);
  const queuedCount = db.selectFrom('device_sync_heads').select('queued').where('bank_id', '=', bankId);
  const inserted = db
    .insertInto('device_sync')
    .values({
      bank_id: bankId,
      sync_id: queuedCount,
      subject_kind: record.subjectKind,
      subject_id: record.subjectId,
      location_id: record.locationId,
      unit_id: record.unitId,
      state: 'queued' satisfies SyncState,
      attempts: 0,
      created_at: now,
      updated_at: now,
    })
    .execute();
  // All asked for in the same turn; the engine runs them in this order.
  const [, , { queued: syncId }] = await Promise.all([countUpdate, inserted, queuedCount.executeTakeFirstOrThrow()]);
  return syncId;
}

const addQueuedSyncs = (db: WriteDb, bankId: number, queued: number): Promise<void> =>
  db.dialect.upsertRows(db, 'device_sync_heads', [{ bank_id: bankId, queued }], {
    key: ['bank_id'],
    sum: ['queued'],
  });

/** The oldest records of a bank in a state, in the order in which they are to be sent. */
export function listSyncs(db: Db, bankId: number, state: SyncState, limit: number): Promise<Tables['device_sync'][]> {
  return db
    .selectFrom('device_sync')
    .selectAll()
    .where('bank_id', '=', bankId)
    .where('state', '=', state)
    .orderBy('sync_id')
    .limit(limit)
    .execute();
}

export type UpdateSyncStateInput = {
  readonly bankId: number;
  readonly syncId: number;
  readonly from: SyncState;
  readonly to: SyncState;
};

/** Moves a record on; false where somebody else has moved it meanwhile. Each sending is counted. */
export async function updateSyncState(
  db: WriteDb,
  { bankId, syncId, from, to }: UpdateSyncStateInput,
  now: number,
): Promise<boolean> {
  if (!isAllowedTransition(from, to)) throw new Error(`a record that is ${from} does not become ${to}`);
  const { numUpdatedRows } = await db
    .updateTable('device_sync')
    .set({ state: to, updated_at: now, attempts: sql<number>`attempts + ${to === 'sent' ? 1 : 0}` })
    .where('bank_id', '=', bankId)
    .where('sync_id', '=', syncId)
    .where('state', '=', from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
