// Reads and writes the stored responses to requests with an Idempotency-Key.

import type { Db, WriteDb } from '../../database/db.ts';

/** A key belongs to the manager who sent it. */
export type IdempotencyKey = { readonly managerId: number; readonly key: string };

export type IdempotencyRecord = {
  readonly request_hash: string;
  readonly created_at: number;
  /** Null, like the other columns of the response, until the response is stored. */
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

/** Stores a record without a response. Fails where the key has a record. */
export async function insertIdempotencyRecord(
  db: WriteDb,
  { managerId, key }: IdempotencyKey,
  { requestHash, createdAt }: { readonly requestHash: string; readonly createdAt: number },
): Promise<void> {
  const emptyResponse = { status: null, body: null, language: null };
  const record = { manager_id: managerId, key, request_hash: requestHash, created_at: createdAt };
  await db
    .insertInto('idempotency_records')
    .values({ ...record, ...emptyResponse })
    .execute();
}

export async function updateIdempotencyResponse(
  db: WriteDb,
  { managerId, key }: IdempotencyKey,
  response: { readonly status: number; readonly body: string; readonly language: string | null },
): Promise<void> {
  await db
    .updateTable('idempotency_records')
    .set(response)
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .execute();
}

/** Deletes the record of a key if it was created until then. */
export async function deleteExpiredIdempotencyRecord(
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

// A backlog of any size shrinks by batches, without a long transaction.
const cleanupBatchSize = 500;

/** When the last record of the oldest batch of expired ones was created; undefined where none is expired. */
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
