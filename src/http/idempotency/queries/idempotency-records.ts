// Reads and writes the stored answers to requests with an Idempotency-Key.

import type { Db, WriteDb } from '../../../database/db.ts';

/** A key belongs to the manager who sent it. */
export type IdempotencyKey = { readonly managerId: number; readonly key: string };

export type IdempotencyRecord = {
  readonly request_hash: string;
  readonly created_at: number;
  /** Null while the answer is not final, and in records of an earlier version of the service that stored none. */
  readonly status: number | null;
  readonly body: string | null;
  readonly language: string | null;
};

export function findIdempotencyRecord(
  db: Db,
  { managerId, key }: IdempotencyKey,
): Promise<IdempotencyRecord | undefined> {
  return db
    .selectFrom('idempotency_records')
    .select(['request_hash', 'created_at', 'status', 'body', 'language'])
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Stores a record that has no answer yet. Fails if the key has a record. */
export async function insertIdempotencyRecord(
  db: WriteDb,
  { managerId, key }: IdempotencyKey,
  { requestHash, createdAt }: { readonly requestHash: string; readonly createdAt: number },
): Promise<void> {
  const emptyAnswer = { status: null, body: null, language: null };
  const record = { manager_id: managerId, key, request_hash: requestHash, created_at: createdAt };
  await db
    .insertInto('idempotency_records')
    .values({ ...record, ...emptyAnswer })
    .execute();
}

/** Completes the record that this transaction inserted. */
export async function updateIdempotencyAnswer(
  db: WriteDb,
  { managerId, key }: IdempotencyKey,
  answer: { readonly status: number | null; readonly body: string; readonly language: string | null },
): Promise<void> {
  await db
    .updateTable('idempotency_records')
    .set(answer)
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .execute();
}

export async function deleteIdempotencyRecord(db: WriteDb, { managerId, key }: IdempotencyKey): Promise<void> {
  await db.deleteFrom('idempotency_records').where('manager_id', '=', managerId).where('key', '=', key).execute();
}

/** Deletes the record of a key if it was created at this time or before it. */
export async function deleteOldIdempotencyRecord(
  db: WriteDb,
  { managerId, key }: IdempotencyKey,
  until: number,
): Promise<void> {
  await db
    .deleteFrom('idempotency_records')
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .where('created_at', '<=', until)
    .execute();
}

// A backlog of any size is deleted in batches, without a long transaction.
const cleanupBatchSize = 500;

/** The creation time of the last record in the oldest batch of expired ones; undefined if none is expired. */
export async function findEndOfExpiredBatch(db: Db, until: number): Promise<number | undefined> {
  const expired = await db
    .selectFrom('idempotency_records')
    .select('created_at')
    .where('created_at', '<=', until)
    .orderBy('created_at')
    .limit(cleanupBatchSize)
    .execute();
  return expired.at(-1)?.created_at;
}

export async function deleteIdempotencyRecordsUntil(db: WriteDb, until: number): Promise<void> {
  await db.deleteFrom('idempotency_records').where('created_at', '<=', until).execute();
}

type StoredAnswer = IdempotencyKey & { readonly body: string };

/** Returns a batch of stored answers in the order of their keys, starting after the given key. */
export async function listStoredAnswers(db: Db, after: IdempotencyKey | undefined): Promise<StoredAnswer[]> {
  let query = db.selectFrom('idempotency_records').select(['manager_id', 'key', 'body']);
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('manager_id', 'key'), '>', tuple(after.managerId, after.key)),
    );
  const rows = await query.orderBy('manager_id').orderBy('key').limit(cleanupBatchSize).execute();
  return rows.map(({ manager_id, key, body }) => ({ managerId: manager_id, key, body: body ?? '' }));
}

/** Erases the answer. The key stays used: a repeated request is told that the answer is no longer stored. */
export async function eraseStoredAnswer(db: WriteDb, { managerId, key }: IdempotencyKey): Promise<void> {
  await db
    .updateTable('idempotency_records')
    .set({ body: null })
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .execute();
}
