// Slows down the guessing of secrets.

import type { Databases } from '../../../database/databases.ts';
import type { WriteDb } from '../../../database/db.ts';
import { FairQueue } from '../../../lib/queues/fair-queue.ts';
import { Problem, type ProblemCode } from '../../../lib/problem.ts';
import {
  deleteEndedFailureCounts,
  deleteFailureCount,
  lockFailureCounts,
  readFailureCounts,
  storeFailureCount,
  type FailureCounts,
} from '../queries/failure-counts.ts';
import { addFailure, secondsUntilAllowed, type FailureCounter } from '../rules/failure-limits.ts';
import { PendingAttempts } from './pending-attempts.ts';

/** Attempts on the same that wait for each other. */
const maxWaitingAttempts = 100;
const deadlineMs = 5000;
/** Each read after the first one follows a failure that another attempt has stored in the meantime. */
const maxReads = 50;
/** How often counts that have ended are deleted, if there are failures. */
const cleaningIntervalMs = 60_000;

type Attempt = {
  readonly tenant: string;
  /** Attempts with the same first counter run one after another. */
  readonly counters: readonly [FailureCounter, ...FailureCounter[]];
  /** MS2000. */
  readonly now: number;
};

/**
 * Called in the transaction of a success: throws `too-many-attempts` if others have used up a limit in the meantime, and
 * forgets the failures that a success ends.
 */
export type SettleSuccess = (db: WriteDb) => Promise<void>;

type AttemptSteps<C, T> = {
  /** Reads what the attempt is checked against. */
  readonly find: () => Promise<C>;
  /** Those of the counters that count for what was found; the first one is always one of them. */
  readonly select?: (found: C) => readonly FailureCounter[];
  /** Only a check that throws the code of a failure counts as one. */
  readonly check: (found: C, settle: SettleSuccess) => Promise<T>;
};

type ThrottleOptions = {
  readonly databases: Pick<Databases, 'forTenant'>;
  /** The problem that a failure is. */
  readonly failureCode: ProblemCode;
  /** A success ends the failures of the first counter. */
  readonly successForgets: boolean;
  /** The problem of an attempt that would have to wait for too many others. */
  readonly createRefusal: () => Problem;
};

type AttemptThrottle = {
  /** Throws `too-many-attempts` before the check if a limit is used up. */
  run<C, T>(attempt: Attempt, steps: AttemptSteps<C, T>): Promise<T>;
};

/**
 * Failures are stored in the tenant's database, so failures count over all replicas, and after a restart. Attempts at
 * the same time cannot exceed a limit together. A success stores nothing.
 */
export function createAttemptThrottle(options: ThrottleOptions): AttemptThrottle {
  const { databases, failureCode, successForgets, createRefusal } = options;
  const pendingAttempts = new PendingAttempts();
  // So that correct ones at the same time all succeed.
  const queue = new FairQueue({
    maxConcurrent: Infinity,
    maxConcurrentPerKey: [1],
    maxWaitingPerKey: maxWaitingAttempts,
    createRefusal,
  });
  const recordFailure = createFailureRecorder(databases);
  const runInTurn = async <C, T>(
    { tenant, counters: all, now }: Attempt,
    { find, select, check }: AttemptSteps<C, T>,
  ): Promise<T> => {
    const [{ hash: ownHash }] = all;
    const database = databases.forTenant(tenant);
    const pending = pendingAttempts.begin(tenant, all);
    try {
      const readCounts = (): Promise<FailureCounts> =>
        database.read({ deadlineMs, isSingleStatement: true }, (db) => readFailureCounts(db, all.map(hashOf)));
      const [found, firstRead] = await Promise.all([find(), readCounts()]);
      const counters = select?.(found) ?? all;
      const situation = { now, pendingOf: (each: FailureCounter) => pending.countOthers(each) };
      let stored = firstRead;
      for (let reads = 1; reads < maxReads && pending.isUncertain(counters); reads += 1) {
        if (secondsUntilAllAllowed(counters, stored, situation) === 0) break;
        await pending.settle(counters);
        stored = await readCounts();
      }
      requireAllowed(counters, stored, situation);
      pending.take(counters);
      let isSettled = false;
      const settle: SettleSuccess = async (db) => {
        const current = await readFailureCounts(db, counters.map(hashOf));
        requireAllowed(counters, current, { now, pendingOf: () => 0 });
        if (successForgets && current.has(ownHash)) await deleteFailureCount(db, ownHash);
        isSettled = true;
      };
      const result = await check(found, settle).catch(async (error: unknown) => {
        if (!(error instanceof Problem && error.code === failureCode)) throw error;
        await pending.record(() => recordFailure(tenant, counters, now));
        throw error;
      });
      if (successForgets && !isSettled && stored.has(ownHash))
        await database.write({ deadlineMs }, (db) => deleteFailureCount(db, ownHash));
      return result;
    } finally {
      pending.end();
    }
  };
  return {
    run: (attempt, steps) =>
      queue.run(() => runInTurn(attempt, steps), { key: [`${attempt.tenant}/${attempt.counters[0].hash}`] }),
  };
}

const hashOf = ({ hash }: FailureCounter): string => hash;

type RecordFailure = (tenant: string, counters: readonly FailureCounter[], now: number) => Promise<void>;

/** Throws `too-many-attempts`, and stores nothing, if others have used up a limit in the meantime. */
function createFailureRecorder(databases: Pick<Databases, 'forTenant'>): RecordFailure {
  /** By tenant, MS2000. */
  const cleanedAt = new Map<string, number>();
  return async (tenant, counters, now) => {
    const database = databases.forTenant(tenant);
    await database.write({ deadlineMs }, async (db) => {
      const stored = await lockFailureCounts(db, counters.map(hashOf));
      requireAllowed(counters, stored, { now, pendingOf: () => 0 });
      for (const { hash, limit } of counters)
        await storeFailureCount(db, hash, addFailure(limit, stored.get(hash), now));
    });
    if (Math.abs(now - (cleanedAt.get(tenant) ?? 0)) < cleaningIntervalMs) return;
    cleanedAt.set(tenant, now);
    // The next failure after an interval tries it again.
    await database.write({ deadlineMs }, (db) => deleteEndedFailureCounts(db, now)).catch(() => {});
  };
}

type Situation = { readonly now: number; readonly pendingOf: (counter: FailureCounter) => number };

const secondsUntilAllAllowed = (
  counters: readonly FailureCounter[],
  stored: FailureCounts,
  { now, pendingOf }: Situation,
): number =>
  Math.max(
    ...counters.map((each) =>
      secondsUntilAllowed(each.limit, stored.get(each.hash), { pending: pendingOf(each), now }),
    ),
  );

function requireAllowed(counters: readonly FailureCounter[], stored: FailureCounts, situation: Situation): void {
  const retryAfterSeconds = secondsUntilAllAllowed(counters, stored, situation);
  if (retryAfterSeconds > 0) throw new Problem('too-many-attempts', { retryAfterSeconds });
}
