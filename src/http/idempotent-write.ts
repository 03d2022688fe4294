// A write with an Idempotency-Key: reserves the key, stores the response for 24 hours, and finds it for repeated requests.

import type { WriteDb } from '../database/db.ts';
import { DuplicateError } from '../database/errors.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { Problem } from '../lib/problem.ts';
import type { KeyReservation } from './context/manager-request-context.ts';
import { PreparedJson } from './send-result.ts';
import {
  deleteExpiredIdempotencyRecord,
  deleteIdempotencyRecordsUntil,
  findEndOfExpiredBatch,
  findIdempotencyRecord,
  insertIdempotencyRecord,
  updateIdempotencyResponse,
  type IdempotencyKey,
  type IdempotencyRecord,
} from './queries/idempotency-records.ts';

const retentionMs = 24 * 3600 * 1000;

/** A response is stored milliseconds after the commit; after this time the process must have ended in between. */
const responseLostAfterMs = 60_000;

const cleanupOptions = { deadlineMs: 1000 };

type IdempotentWriteInput = {
  readonly database: TenantDatabase;
  readonly deadlineMs: number;
  readonly idempotencyKey: IdempotencyKey;
  readonly requestHash: string;
  /** The time of the request, MS2000. */
  readonly now: number;
};

type IdempotentResponse = { readonly status: number; readonly body: string; readonly language: string | null };

export class IdempotentWrite implements KeyReservation {
  readonly #input: IdempotentWriteInput;
  /** Records that were created until then are expired. */
  readonly #expiredUntil: number;
  #existing: IdempotencyRecord | undefined;
  #outcome: 'not-reserved' | 'reserved' | 'duplicate' = 'not-reserved';

  constructor(input: IdempotentWriteInput) {
    this.#input = input;
    this.#expiredUntil = input.now - retentionMs;
  }

  /** Whether the operation reserved the key: one that writes nothing does not. */
  get isReserved(): boolean {
    return this.#outcome === 'reserved';
  }

  /** The stored response to an earlier request with the key. */
  async findReplay(): Promise<PreparedJson | undefined> {
    const { database, deadlineMs, idempotencyKey } = this.#input;
    this.#existing = await database.read({ deadlineMs }, (db) => findIdempotencyRecord(db, idempotencyKey));
    return this.#existing === undefined || this.#isExpired(this.#existing) ? undefined : this.#replay(this.#existing);
  }

  /** Stores the record inside the write's own transaction, so that it exists exactly if the write was committed. */
  async reserve(db: WriteDb): Promise<void> {
    const { idempotencyKey, requestHash, now } = this.#input;
    if (this.#existing !== undefined) await deleteExpiredIdempotencyRecord(db, idempotencyKey, this.#expiredUntil);
    try {
      await insertIdempotencyRecord(db, idempotencyKey, { requestHash, createdAt: now });
      this.#outcome = 'reserved';
    } catch (error) {
      this.#outcome = db.dialect.classifyError(error) === 'duplicate' ? 'duplicate' : 'not-reserved';
      throw error;
    }
  }

  /** The response to a concurrent request that reserved the key first. Throws any other error of the operation. */
  async replayConcurrent(error: unknown): Promise<PreparedJson> {
    if (this.#outcome !== 'duplicate' || !(error instanceof DuplicateError)) throw error;
    const replayed = await this.findReplay();
    if (replayed === undefined) throw error;
    return replayed;
  }

  async storeResponse(response: IdempotentResponse): Promise<void> {
    const { database, deadlineMs, idempotencyKey } = this.#input;
    await database.write({ deadlineMs }, (db) => updateIdempotencyResponse(db, idempotencyKey, response));
  }

  /**
   * Deletes expired records of all keys. In a transaction of its own, and only if there are any: as part of the writes
   * themselves, concurrent ones would be rolled back over the same old rows.
   */
  async deleteExpiredRecords(): Promise<void> {
    const { database } = this.#input;
    const batchEnd = await database.read(cleanupOptions, (db) => findEndOfExpiredBatch(db, this.#expiredUntil));
    if (batchEnd === undefined) return;
    await database.write(cleanupOptions, (db) => deleteIdempotencyRecordsUntil(db, batchEnd));
  }

  #isExpired(record: IdempotencyRecord): boolean {
    return record.created_at <= this.#expiredUntil;
  }

  #replay({ request_hash, created_at, status, body, language }: IdempotencyRecord): PreparedJson {
    const { requestHash, now } = this.#input;
    if (request_hash !== requestHash) throw new Problem('idempotency-mismatch');
    if (status !== null && body !== null) return new PreparedJson(body, language ?? undefined);
    if (now - created_at < responseLostAfterMs) throw new Problem('idempotency-in-progress');
    throw new Problem('storage-outcome-unknown', {
      detail: 'The first request was committed, but its response was not stored. Read the object before you retry.',
    });
  }
}
