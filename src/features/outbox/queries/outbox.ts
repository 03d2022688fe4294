// Queues records for the devices of a bank in its outbox. A record is queued in the transaction that makes the change,
// so both are committed or neither; computers read the records in the order of their ids.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { createLock, requireLock, type Lock } from '../../../database/locks.ts';
import type { GrantedBank, GrantedLocation } from '../../../permissions/coverage.ts';
import { isAllowedTransition, type SubjectKind, type SyncState } from '../rules/sync-state.ts';

/** The bank of the outbox, or one of its locations or units. */
type OutboxBank = GrantedBank | GrantedLocation;

export type QueueSyncInput = {
  readonly subjectKind: SubjectKind;
  /** `own-id`: the subject has the id of the record. */
  readonly subjectId: number | 'own-id';
  /** The location of the device; 0: none. */
  readonly locationId: number;
  /** The unit of the device; 0: none. */
  readonly unitId: number;
  /** What devices have to know of a change and can no longer be read after it. */
  readonly detail?: SyncDetail;
};

/** Keys of a resident that ended with the change, as in AddKey. */
export type SyncDetail = { readonly endedKeys: readonly string[] };

/** Is published with every commit that has queued records. */
const outboxTopic = (bankId: number): string => `outbox/${bankId}`;

export const bankIdOfOutboxTopic = (topic: string): number | undefined => {
  const [, digits] = /^outbox\/(\d+)$/.exec(topic) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** Every write that queues a record, or appends to the audit log of the bank, declares this lock. */
export const outboxLock = ({ bankId }: Pick<OutboxBank, 'bankId'>): Lock<void> =>
  createLock('outbox', [bankId], { update: (db) => addQueuedSyncs(db, bankId, 0) });

/** Queues a record and returns its id. The ids of a bank have no gaps and follow the order of the commits. */
export async function queueSync(db: WriteDb, bank: OutboxBank, record: QueueSyncInput, now: number): Promise<number> {
  requireLock(db, outboxLock(bank));
  const { bankId } = bank;
  db.changedTopics.add(outboxTopic(bankId));
  const countUpdate = addQueuedSyncs(db, bankId, 1);
  const queuedCount = db.selectFrom('device_sync_heads').select('queued').where('bank_id', '=', bankId);
  const inserted = db
    .insertInto('device_sync')
    .values(createSyncRow(bankId, queuedCount, record, now))
    .execute();
  // Sent together; the engine runs them in this order.
  const [, , { queued: syncId }] = await Promise.all([countUpdate, inserted, queuedCount.executeTakeFirstOrThrow()]);
  return syncId;
}

/** Queues several records, in their order, at the cost of one. Returns the id of the first; the others follow it. */
export async function queueSyncs(
  db: WriteDb,
  bank: OutboxBank,
  records: readonly QueueSyncInput[],
  now: number,
): Promise<number> {
  requireLock(db, outboxLock(bank));
  if (records.length === 0) return 0;
  const { bankId } = bank;
  db.changedTopics.add(outboxTopic(bankId));
  const countUpdate = addQueuedSyncs(db, bankId, records.length);
  const queuedCount = db.selectFrom('device_sync_heads').select('queued').where('bank_id', '=', bankId);
  const [, { queued: lastId }] = await Promise.all([countUpdate, queuedCount.executeTakeFirstOrThrow()]);
  const firstId = lastId - records.length + 1;
  const rows = records.map((record, index) => createSyncRow(bankId, firstId + index, record, now));
  await insertRows(
    db,
    'device_sync',
    rows.map((row) => ({ ...row, code: null })),
  );
  return firstId;
}

/** The id is a number, or a query for it. */
const createSyncRow = <Id>(bankId: number, id: Id, record: QueueSyncInput, now: number) => ({
  bank_id: bankId,
  sync_id: id,
  subject_kind: record.subjectKind,
  subject_id: record.subjectId === 'own-id' ? id : record.subjectId,
  location_id: record.locationId,
  unit_id: record.unitId,
  state: 'queued' satisfies SyncState,
  attempts: 0,
  created_at: now,
  updated_at: now,
  detail: record.detail === undefined ? null : JSON.stringify(record.detail),
});

const addQueuedSyncs = (db: WriteDb, bankId: number, queued: number): Promise<void> =>
  db.dialect.upsertRows(db, 'device_sync_heads', [{ bank_id: bankId, queued }], { key: ['bank_id'], sum: ['queued'] });

/**
 * What records say of keys of residents who are erased. A computer that has not heard of it yet finds the keys by the
 * digest of its list.
 */
export async function eraseSyncDetails(
  db: WriteDb,
  { bankId }: GrantedBank,
  residentIds: readonly number[],
): Promise<void> {
  await db
    .updateTable('device_sync')
    .set({ detail: null })
    .where('bank_id', '=', bankId)
    .where('subject_kind', '=', 'resident' satisfies SubjectKind)
    .where('subject_id', 'in', residentIds)
    .where('detail', 'is not', null)
    .execute();
}

/** Changes the state of a record; false if another process has changed it meanwhile. Counts how often it was sent. */
export async function updateSyncState(
  db: WriteDb,
  { bankId }: OutboxBank,
  { syncId, from, to }: { readonly syncId: number; readonly from: SyncState; readonly to: SyncState },
  now: number,
): Promise<boolean> {
  if (!isAllowedTransition(from, to)) throw new Error(`a sync record cannot change from ${from} to ${to}`);
  const { numUpdatedRows } = await db
    .updateTable('device_sync')
    .set({ state: to, updated_at: now, attempts: sql<number>`attempts + ${to === 'sent' ? 1 : 0}` })
    .where('bank_id', '=', bankId)
    .where('sync_id', '=', syncId)
    .where('state', '=', from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
