// The limits on wrong passwords, and how a failure counts against them. The same counts are stored for all replicas.

import { hash } from 'node:crypto';

/** A number of failures in a time that begins with the first one. */
type WindowLimit = { readonly maxFailures: number; readonly windowMs: number };

/** So many failures at once, and one more after each interval: the generic cell rate algorithm. */
type GradualLimit = { readonly maxFailures: number; readonly refillMs: number };

type FailureLimit = WindowLimit | GradualLimit;

/** What is stored of a counter. */
export type FailureCount = {
  readonly failures: number;
  /** MS2000: the end of the window, or when all failures are allowed again. */
  readonly endsAt: number;
};

export type FailureCounter = { readonly hash: string; readonly limit: FailureLimit };

const windowMs = 300_000;

/** Failures of an account from an address. */
const accountFromAddressLimit: FailureLimit = { maxFailures: 10, windowMs };
/** Failures of an account from all unknown addresses together. */
const accountLimit: FailureLimit = { maxFailures: 30, refillMs: 10_000 };
/** Failures of all accounts of a tenant together from an address: an office can have many managers behind one. */
const addressLimit: FailureLimit = { maxFailures: 300, windowMs };

type LoginCounters = {
  readonly accountFromAddress: FailureCounter;
  readonly account: FailureCounter;
  readonly address: FailureCounter;
};

/** What an attempt counts against. Unknown user names are counted in the same way. */
export function createLoginCounters(userNameKey: string, address: string): LoginCounters {
  return {
    accountFromAddress: createCounter(['pair', userNameKey, address], accountFromAddressLimit),
    account: createCounter(['account', userNameKey], accountLimit),
    address: createCounter(['address', address], addressLimit),
  };
}

const createCounter = (key: readonly string[], limit: FailureLimit): FailureCounter => ({
  hash: hash('sha256', JSON.stringify(key), 'hex'),
  limit,
});

/** How long nothing lasts at most. */
const longestMs = (limit: FailureLimit): number =>
  'windowMs' in limit ? limit.windowMs : limit.maxFailures * limit.refillMs;

/** An end that is too far away was stored under a clock that was wrong: it must not keep an account closed. */
const isCounting = ({ endsAt }: FailureCount, limit: FailureLimit, now: number): boolean =>
  endsAt > now && endsAt <= now + 2 * longestMs(limit);

/**
 * After how many seconds another attempt is allowed: 0 if it is now. `pending` are failures that are not stored yet, or
 * may become some.
 */
export function secondsUntilAllowed(
  limit: FailureLimit,
  stored: FailureCount | undefined,
  { pending, now }: { readonly pending: number; readonly now: number },
): number {
  const counting = stored !== undefined && isCounting(stored, limit, now) ? stored : undefined;
  if ('windowMs' in limit) {
    if ((counting?.failures ?? 0) + pending < limit.maxFailures) return 0;
    return Math.ceil(((counting?.endsAt ?? now + limit.windowMs) - now) / 1000);
  }
  const endsAt = (counting?.endsAt ?? now) + (pending + 1) * limit.refillMs;
  return Math.max(0, Math.ceil((endsAt - now - longestMs(limit)) / 1000));
}

/** What is stored after another failure. */
export function addFailure(limit: FailureLimit, stored: FailureCount | undefined, now: number): FailureCount {
  const { failures, endsAt } =
    stored !== undefined && isCounting(stored, limit, now) ? stored : { failures: 0, endsAt: undefined };
  return {
    failures: failures + 1,
    endsAt: 'windowMs' in limit ? (endsAt ?? now + limit.windowMs) : (endsAt ?? now) + limit.refillMs,
  };
}
