// Slows down the guessing of passwords without locking anybody else out (OWASP ASVS 5.0, 6.1.1 and 6.3.1). Failures are
// counted by account and address together, so that an address can block an account only for itself. The attempts of
// many addresses together are limited as well, except from addresses from which the manager has logged in before.
// Failures are stored in the tenant's database: they count over all replicas. A success stores nothing.

import type { Databases } from '../../../database/databases.ts';
import type { WriteDb } from '../../../database/db.ts';
import { FairQueue } from '../../../lib/fair-queue.ts';
import { Problem } from '../../../lib/problem.ts';
import {
  deleteEndedFailureCounts,
  deleteFailureCount,
  lockFailureCounts,
  readFailureCounts,
  storeFailureCount,
  type FailureCounts,
} from '../queries/login-failures.ts';
import { addFailure, createLoginCounters, secondsUntilAllowed, type FailureCounter } from '../rules/login-limits.ts';
import { PendingAttempts } from './pending-attempts.ts';

/** Attempts on an account from an address that wait for each other. */
const maxWaitingAttempts = 100;
const deadlineMs = 5000;
/** Each read after the first one follows a failure that another attempt has stored in the meantime. */
const maxReads = 50;
/** How often counts that have ended are deleted, if there are failures. */
const cleaningIntervalMs = 60_000;

type LoginAttempt = {
  readonly tenant: string;
  /** Unknown ones are throttled in the same way. */
  readonly userNameKey: string;
  readonly address: string;
  /** MS2000. */
  readonly now: number;
};

/**
 * Called in the transaction of a success: throws `too-many-attempts` if others have used up a limit in the meantime, and
 * forgets the failures of the account from the address.
 */
type SettleSuccess = (db: WriteDb) => Promise<void>;

type LoginSteps<C, T> = {
  /** Reads what the attempt is checked against, and whether the manager has logged in from the address before. */
  readonly find: () => Promise<C>;
  /** Only a check that throws `invalid-credentials` counts as a failure. */
  readonly check: (candidate: C, settle: SettleSuccess) => Promise<T>;
};

export type LoginThrottle = {
  /** Throws `too-many-attempts` before the check if a limit is used up. */
  run<C extends { readonly isKnownAddress: boolean }, T>(attempt: LoginAttempt, steps: LoginSteps<C, T>): Promise<T>;
};

export function createLoginThrottle(databases: Pick<Databases, 'forTenant'>): LoginThrottle {
  const pendingAttempts = new PendingAttempts();
  // Attempts on an account from an address run one after another, so that correct ones at the same time all succeed.
  const queue = new FairQueue({
    maxConcurrent: Infinity,
    maxConcurrentPerKey: [1],
    maxWaitingPerKey: maxWaitingAttempts,
    createRefusal: () => new Problem('login-busy'),
  });
  const recordFailure = createFailureRecorder(databases);
  const runInTurn = async <C extends { readonly isKnownAddress: boolean }, T>(
    { tenant, userNameKey, address, now }: LoginAttempt,
    { find, check }: LoginSteps<C, T>,
  ): Promise<T> => {
    const { accountFromAddress, ...ofUnknown } = createLoginCounters(userNameKey, address);
    const all = [accountFromAddress, ...Object.values(ofUnknown)];
    const database = databases.forTenant(tenant);
    const pending = pendingAttempts.begin(tenant, all);
    try {
      const readCounts = (): Promise<FailureCounts> =>
        database.read({ deadlineMs, isSingleStatement: true }, (db) => readFailureCounts(db, all.map(hashOf)));
      const [candidate, firstRead] = await Promise.all([find(), readCounts()]);
      const counters = candidate.isKnownAddress ? [accountFromAddress] : all;
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
        if (current.has(accountFromAddress.hash)) await deleteFailureCount(db, accountFromAddress.hash);
        isSettled = true;
      };
      const result = await check(candidate, settle).catch(async (error: unknown) => {
        if (!(error instanceof Problem && error.code === 'invalid-credentials')) throw error;
        await pending.record(() => recordFailure(tenant, counters, now));
        throw error;
      });
      if (!isSettled && stored.has(accountFromAddress.hash))
        await database.write({ deadlineMs }, (db) => deleteFailureCount(db, accountFromAddress.hash));
      return result;
    } finally {
      pending.end();
    }
  };
  return {
    run: (attempt, steps) =>
      queue.run(() => runInTurn(attempt, steps), {
        key: [JSON.stringify([attempt.tenant, attempt.userNameKey, attempt.address])],
      }),
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
