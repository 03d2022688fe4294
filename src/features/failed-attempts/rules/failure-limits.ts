// How a failed attempt counts against a limit, and after how long another attempt is allowed. The same counts are stored
// for all replicas.

import { hash } from 'node:crypto';

/** A number of failures in a time that begins with the first one. */
type WindowLimit = { readonly maxFailures: number; readonly windowMs: number };

/** So many failures at once, and one more after each interval: the generic cell rate algorithm. */
type GradualLimit = { readonly maxFailures: number; readonly refillMs: number };

export type FailureLimit = WindowLimit | GradualLimit;

/** What is stored of a counter. */
export type FailureCount = {
  readonly failures: number;
  /** MS2000: the end of the window, or when all failures are allowed again. */
  readonly endsAt: number;
};

export type FailureCounter = { readonly hash: string; readonly limit: FailureLimit };

/** `key` is what is counted, its kind first: two counters of a tenant never have the same. */
export const createFailureCounter = (
  key: readonly [kind: string, ...string[]],
  limit: FailureLimit,
): FailureCounter => ({ hash: hash('sha256', JSON.stringify(key), 'hex'), limit });

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
