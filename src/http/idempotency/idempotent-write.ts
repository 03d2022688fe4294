// Stores the answer to a write with an Idempotency-Key. Repeated requests get the stored answer for 24 hours.

import type { Db, WriteDb } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import type { KeyedWrite } from '../requests/manager-request-context.ts';
import {
  deleteOldIdempotencyRecord,
  deleteIdempotencyRecord,
  findIdempotencyRecord,
  insertIdempotencyRecord,
  updateIdempotencyAnswer,
  type IdempotencyKey,
  type IdempotencyRecord,
} from './queries/idempotency-records.ts';
import { PreparedJson } from '../representations/results.ts';

/** How long answers are stored. */
export const answerRetentionMs = 24 * 3600 * 1000;

/** Longer than any operation runs: a write that is older and has no final answer never ended. */
const endedAfterMs = 60_000;

/** No answer is an empty text: it would not be JSON. */
const emptyAnswer = '';

export type IdempotentWriteInput = {
  readonly idempotencyKey: IdempotencyKey;
  /** Slow for a request with a secret. */
  readonly hashRequest: () => Promise<string>;
  /** Whether this process is handling a request with the key. */
  readonly isRunning: () => boolean;
  /** The status of a successful answer. */
  readonly status: number;
  /** The language of the answer; null if it does not depend on one. */
  readonly language: string | null;
  /** The time of the request, MS2000. */
  readonly now: number;
};

/**
 * The transaction of the write stores the answer: either the write and the answer are committed together, or the key is
 * still free.
 *
 * A write of two transactions stores a provisional answer, without a status, in the first transaction. The provisional
 * answer is empty if the first transaction does not do all that was requested. If the second transaction never comes, a
 * repeated request then runs the write again.
 */
export class IdempotentWrite implements KeyedWrite {
  readonly #input: IdempotentWriteInput;
  /** Records that were created at this time or before it are expired. */
  readonly expiredUntil: number;
  /** The record of the key, which may be expired. */
  #record: IdempotencyRecord | undefined;
  #requestHash: string | undefined;
  #storedAnswer: PreparedJson<never> | undefined;
  /** Whether the record is that of a write that did not end, and is run again. */
  #runsAgain = false;
  #isDuplicate = false;
  #isReplayed = false;

  constructor(input: IdempotentWriteInput) {
    this.#input = input;
    this.expiredUntil = input.now - answerRetentionMs;
  }

  /** The record of an earlier request with the key. */
  get #liveRecord(): IdempotencyRecord | undefined {
    return this.#record !== undefined && this.#record.created_at > this.expiredUntil ? this.#record : undefined;
  }

  get isRepeated(): boolean {
    return this.#liveRecord !== undefined && !this.#runsAgain;
  }

  get isReplayed(): boolean {
    return this.#isReplayed;
  }

  async lookUp(db: Db): Promise<void> {
    this.#record = await findIdempotencyRecord(db, this.#input.idempotencyKey);
    this.#runsAgain = false;
  }

  async prepare(): Promise<void> {
    const requestHash = (this.#requestHash ??= await this.#input.hashRequest());
    const record = this.#liveRecord;
    this.#storedAnswer = record === undefined ? undefined : this.#toAnswer(record, requestHash);
  }

  replay(): PreparedJson<never> {
    if (this.#storedAnswer === undefined) throw new Error('there is no stored answer');
    this.#isReplayed = true;
    return this.#storedAnswer;
  }

  /** A request with the same key in another process waits here until this transaction ends. */
  async reserve(db: WriteDb): Promise<void> {
    const { idempotencyKey, now } = this.#input;
    if (this.#requestHash === undefined) throw new Error('the request has not been hashed');
    this.#isDuplicate = false;
    const replacedUntil = this.#runsAgain ? now - endedAfterMs : this.expiredUntil;
    if (this.#record !== undefined) await deleteOldIdempotencyRecord(db, idempotencyKey, replacedUntil);
    try {
      await insertIdempotencyRecord(db, idempotencyKey, { requestHash: this.#requestHash, createdAt: now });
    } catch (error) {
      this.#isDuplicate = db.dialect.classifyError(error) === 'duplicate';
      throw error;
    }
  }

  async release(db: WriteDb): Promise<void> {
    await deleteIdempotencyRecord(db, this.#input.idempotencyKey);
  }

  async storeAnswer(db: WriteDb, result: unknown): Promise<PreparedJson<never>> {
    const { idempotencyKey, status, language } = this.#input;
    const body = formatBody(result);
    await updateIdempotencyAnswer(db, idempotencyKey, { status, body, language });
    return new PreparedJson(body, language ?? undefined);
  }

  async storeProvisionalAnswer(db: WriteDb, result: unknown): Promise<void> {
    const { idempotencyKey, language } = this.#input;
    const body = result === undefined ? emptyAnswer : formatBody(result);
    await updateIdempotencyAnswer(db, idempotencyKey, { status: null, body, language });
  }

  /** Whether the write failed only because a concurrent request had reserved the key. */
  get lostToConcurrent(): boolean {
    return this.#isDuplicate;
  }

  /** Undefined if the write is run again. */
  #toAnswer(
    { request_hash, created_at, status, body, language }: IdempotencyRecord,
    requestHash: string,
  ): PreparedJson<never> | undefined {
    const { now, isRunning } = this.#input;
    if (request_hash !== requestHash) throw new Problem('idempotency-mismatch');
    const leftMs = Math.min(created_at - now, 0) + endedAfterMs;
    if (status === null && leftMs > 0) {
      if (isRunning()) throw new Problem('idempotency-in-progress');
      throw new Problem('idempotency-in-progress', {
        detail: runsElsewhere,
        retryAfterSeconds: Math.ceil(leftMs / 1000),
      });
    }
    if (status === null && body === emptyAnswer) {
      this.#runsAgain = true;
      return undefined;
    }
    if (body !== null) return new PreparedJson(body, language ?? undefined);
    // It named a resident who has been erased since, or an earlier version of the service failed to store it after the
    // commit.
    throw new Problem('storage-outcome-unknown', {
      detail: 'The first request was committed, but its response is not stored. Read the object before you retry.',
    });
  }
}

const runsElsewhere =
  'The first request with this Idempotency-Key has not ended: another process handles it, or was stopped while it did.';

const formatBody = (result: unknown): string =>
  result instanceof PreparedJson ? result.text : JSON.stringify(result ?? null);
