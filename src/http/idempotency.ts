// Idempotency-Key: the first answer to a write is kept for 24 hours and replayed. The key is reserved inside the
// write's own transaction, so a record exists exactly when the write was committed; a refused write leaves none.

import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { Databases } from '../database/databases.ts';
import type { Db, WriteDb } from '../database/db.ts';
import { DuplicateError } from '../database/errors.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { negotiateLanguage } from '../lib/language.ts';
import { Problem } from '../lib/problem.ts';
import { PreparedJson } from './send-result.ts';
import type { Operation } from './operation.ts';
import { tenantHostOf } from './context/request-context.ts';

const retentionMs = 24 * 3600 * 1000;

/** Between commit and the stored answer lie milliseconds; after this long the process must have died in between. */
const responseLostAfterMs = 60_000;

/** Clearing away is nothing to wait long for. */
const cleanupOptions = { deadlineMs: 1000 };

/** Reserves the key; called inside the operation's write transaction. */
export type ReserveKey = (db: WriteDb) => Promise<void>;

type IdempotentRequest = {
  readonly key: string | string[];
  readonly operation: Operation;
  readonly queryString: string;
  readonly body: unknown;
  readonly request: FastifyRequest;
  readonly databases: Databases;
  readonly now: () => number;
};

type IdempotentResult = { readonly isReplayed: boolean; readonly result: unknown };

/** Runs a write once for its key, or answers what the first run answered. */
export async function runIdempotent(
  idempotentRequest: IdempotentRequest,
  run: (reserveKey: ReserveKey) => unknown,
): Promise<IdempotentResult> {
  const { key, operation, request, databases, now } = idempotentRequest;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) throw new Problem('invalid-idempotency-key');
  const managerId = request.requestContext.principal?.managerId ?? 0;
  const requestHash = hashRequest(idempotentRequest);
  const database = databases.forTenant(tenantHostOf(request).tenant.name);
  const { deadlineMs } = operation;
  const readRecord = () => database.read({ deadlineMs }, (db) => findIdempotencyRecord(db, managerId, key));
  const isUnexpired = (record: IdempotencyRecord | undefined): record is IdempotencyRecord =>
    record !== undefined && record.created_at > now() - retentionMs;

  const existing = await readRecord();
  if (isUnexpired(existing)) return replayRecord(existing, requestHash, now());

  let hasDuplicateKey = false;
  let isReserved = false;
  const reserveKey: ReserveKey = async (db) => {
    if (existing !== undefined) await deleteExpiredRecord(db, now() - retentionMs, { managerId, key });
    const emptyResponse = { status: null, body: null, language: null };
    const row = { manager_id: managerId, key, request_hash: requestHash, created_at: now(), ...emptyResponse };
    try {
      await db.insertInto('idempotency_records').values(row).execute();
      isReserved = true;
    } catch (error) {
      hasDuplicateKey = db.dialect.classifyError(error) === 'duplicate';
      throw error;
    }
  };
  let result: unknown;
  try {
    result = await run(reserveKey);
  } catch (error) {
    const concurrentRecord = hasDuplicateKey && error instanceof DuplicateError ? await readRecord() : undefined;
    if (!isUnexpired(concurrentRecord)) throw error;
    return replayRecord(concurrentRecord, requestHash, now());
  }
  if (!isReserved) return { isReplayed: false, result };
  const body = result instanceof PreparedJson ? result.text : JSON.stringify(result ?? null);
  try {
    await database.write({ deadlineMs }, async (db) => {
      const status = operation.status ?? 200;
      const language = operation.localised === true ? negotiateLanguage(request.headers['accept-language']) : null;
      await db
        .updateTable('idempotency_records')
        .set({ status, body, language })
        .where('manager_id', '=', managerId)
        .where('key', '=', key)
        .execute();
    });
  } catch (error) {
    // The write stands and its answer is known: a 503 would tell of a failure that was none.
    request.log.warn({ err: error, requestId: request.id }, 'an answer could not be kept for its Idempotency-Key');
  }
  // Nobody waits for it; what it leaves, the next write with a key finds again.
  deleteExpiredRecords(database, now() - retentionMs).catch((error: unknown) =>
    request.log.debug({ err: error, requestId: request.id }, 'old idempotency records stay for now'),
  );
  return { isReplayed: false, result };
}

type IdempotencyRecord = {
  readonly request_hash: string;
  readonly created_at: number;
  readonly status: number | null;
  readonly body: string | null;
  readonly language: string | null;
};

function findIdempotencyRecord(db: Db, managerId: number, key: string): Promise<IdempotencyRecord | undefined> {
  return db
    .selectFrom('idempotency_records')
    .select(['request_hash', 'created_at', 'status', 'body', 'language'])
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .executeTakeFirst();
}

async function deleteExpiredRecord(
  db: WriteDb,
  until: number,
  { managerId, key }: { managerId: number; key: string },
): Promise<void> {
  await db
    .deleteFrom('idempotency_records')
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .where('created_at', '<=', until)
    .execute();
}

// So many go at a time that a backlog, however large, shrinks without a long transaction.
const cleanupBatchSize = 500;

/**
 * Deletes records whose day is over. In a transaction of its own, and only where there are any: inside the writes
 * themselves, those that run at once would be rolled back over the same old rows.
 */
async function deleteExpiredRecords(database: TenantDatabase, until: number): Promise<void> {
  const old = await database.read(cleanupOptions, (db) =>
    db
      .selectFrom('idempotency_records')
      .select('created_at')
      .where('created_at', '<=', until)
      .orderBy('created_at')
      .limit(cleanupBatchSize)
      .execute(),
  );
  const last = old.at(-1);
  if (last === undefined) return;
  await database.write(cleanupOptions, (db) =>
    db.deleteFrom('idempotency_records').where('created_at', '<=', last.created_at).execute(),
  );
}

function replayRecord(
  { request_hash, created_at, status, body, language }: IdempotencyRecord,
  requestHash: string,
  now: number,
): IdempotentResult {
  if (request_hash !== requestHash) throw new Problem('idempotency-mismatch');
  if (status !== null && body !== null)
    return { isReplayed: true, result: new PreparedJson(body, language ?? undefined) };
  if (now - created_at < responseLostAfterMs) throw new Problem('idempotency-in-progress');
  throw new Problem('storage-outcome-unknown', { detail: 'The first request was committed, but its answer was lost.' });
}

function hashRequest({ operation, queryString, body, request }: IdempotentRequest): string {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const parts = JSON.stringify([operation.method, path, queryString, body ?? null]);
  return createHash('sha256').update(parts).digest('hex');
}
