// Idempotency-Key: the first answer to a write is kept for 24 hours and replayed. The key is reserved inside the
// write's own transaction, so a record exists exactly when the write was committed; a refused write leaves none.

import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { Databases } from '../database/databases.ts';
import type { Db, WriteDb } from '../database/dialect.ts';
import { DuplicateError } from '../database/errors.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { negotiateLanguage } from '../lib/language.ts';
import { Problem } from '../lib/problem.ts';
import { PreparedJson } from './answer.ts';
import type { Operation } from './operation.ts';
import { placeOf } from './visit.ts';

const keepMs = 24 * 3600 * 1000;

/** Between commit and the stored answer lie milliseconds; after this long the process must have died in between. */
const answerLostMs = 60_000;

/** Clearing away is nothing to wait long for. */
const clearing = { deadlineMs: 1000 };

/** Reserves the key; called inside the operation's write transaction. */
export type Reserve = (db: WriteDb) => Promise<void>;

type Keyed = {
  readonly key: string | string[];
  readonly operation: Operation;
  readonly search: string;
  readonly body: unknown;
  readonly request: FastifyRequest;
  readonly databases: Databases;
  readonly now: () => number;
};

type First = { readonly replayed: boolean; readonly result: unknown };

/** Runs a write once for its key, or answers what the first run answered. */
export async function onceByKey(keyed: Keyed, run: (reserve: Reserve) => unknown): Promise<First> {
  const { key, operation, request, databases, now } = keyed;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) throw new Problem('invalid-idempotency-key');
  const managerId = request.visit.principal?.managerId ?? 0;
  const requestHash = hashOf(keyed);
  const database = databases.of(placeOf(request).tenant.name);
  const { deadlineMs } = operation;
  const look = () => database.read({ deadlineMs }, (db) => findRecord(db, managerId, key));
  const lives = (record: Stored | undefined): record is Stored =>
    record !== undefined && record.created_at > now() - keepMs;

  const known = await look();
  if (lives(known)) return replay(known, requestHash, now());

  let collided = false;
  let reserved = false;
  const reserve: Reserve = async (db) => {
    if (known !== undefined) await deleteExpired(db, now() - keepMs, { managerId, key });
    const answer = { status: null, body: null, language: null };
    const row = { manager_id: managerId, key, request_hash: requestHash, created_at: now(), ...answer };
    try {
      await db.insertInto('idempotency_records').values(row).execute();
      reserved = true;
    } catch (error) {
      collided = db.words.classify(error) === 'duplicate';
      throw error;
    }
  };
  let result: unknown;
  try {
    result = await run(reserve);
  } catch (error) {
    const first = collided && error instanceof DuplicateError ? await look() : undefined;
    if (!lives(first)) throw error;
    return replay(first, requestHash, now());
  }
  if (!reserved) return { replayed: false, result };
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
  clearAway(database, now() - keepMs).catch((error: unknown) =>
    request.log.debug({ err: error, requestId: request.id }, 'old idempotency records stay for now'),
  );
  return { replayed: false, result };
}

type Stored = {
  readonly request_hash: string;
  readonly created_at: number;
  readonly status: number | null;
  readonly body: string | null;
  readonly language: string | null;
};

function findRecord(db: Db, managerId: number, key: string): Promise<Stored | undefined> {
  return db
    .selectFrom('idempotency_records')
    .select(['request_hash', 'created_at', 'status', 'body', 'language'])
    .where('manager_id', '=', managerId)
    .where('key', '=', key)
    .executeTakeFirst();
}

async function deleteExpired(
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
const clearedAtOnce = 500;

/**
 * Deletes records whose day is over. In a transaction of its own, and only where there are any: inside the writes
 * themselves, those that run at once would be rolled back over the same old rows.
 */
async function clearAway(database: TenantDatabase, until: number): Promise<void> {
  const old = await database.read(clearing, (db) =>
    db
      .selectFrom('idempotency_records')
      .select('created_at')
      .where('created_at', '<=', until)
      .orderBy('created_at')
      .limit(clearedAtOnce)
      .execute(),
  );
  const last = old.at(-1);
  if (last === undefined) return;
  await database.write(clearing, (db) =>
    db.deleteFrom('idempotency_records').where('created_at', '<=', last.created_at).execute(),
  );
}

function replay({ request_hash, created_at, status, body, language }: Stored, requestHash: string, now: number): First {
  if (request_hash !== requestHash) throw new Problem('idempotency-mismatch');
  if (status !== null && body !== null)
    return { replayed: true, result: new PreparedJson(body, language ?? undefined) };
  if (now - created_at < answerLostMs) throw new Problem('idempotency-in-progress');
  throw new Problem('storage-outcome-unknown', { detail: 'The first request was committed, but its answer was lost.' });
}

function hashOf({ operation, search, body, request }: Keyed): string {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const parts = JSON.stringify([operation.method, path, search, body ?? null]);
  return createHash('sha256').update(parts).digest('hex');
}
