// Decides the time at which an event is recorded, and detects a clock that was set back.

import { Problem } from '../../../lib/problem.ts';

/** How far the clocks of two replicas may differ. */
const clockToleranceMs = 2000;

export type LedgerTimes = {
  /** When the open settlement period began. */
  readonly openedAt: number;
  /** When the service last wrote to the ledger, or to the bookings of its bank. */
  readonly lastWriteAt: number;
};

type RequestTimes = {
  /** When the request came in. */
  readonly now: number;
  /** When the ledger was read. */
  readonly currentTime: number;
};

/** Whether a clock that shows this time was set back since something was recorded. */
export function isClockBehind({ openedAt, lastWriteAt }: LedgerTimes, currentTime: number): boolean {
  return Math.max(openedAt, lastWriteAt) - currentTime > clockToleranceMs;
}

/**
 * The time of the request, but not before the settlement period began, nor before what was recorded while the request
 * waited for the ledger. Throws 503 `clock-behind`.
 */
export function decideRecordingTime(ledger: LedgerTimes, { now, currentTime }: RequestTimes): number {
  const earliest = Math.max(ledger.openedAt, ledger.lastWriteAt);
  if (isClockBehind(ledger, currentTime)) throw createClockProblem(earliest - currentTime);
  return Math.max(now, earliest);
}

const secondsUntilNextLook = 60;

/** A clock that is only a little behind has caught up after that time; any other needs correction first. */
function createClockProblem(behindMs: number): Problem {
  const behindSeconds = Math.ceil(behindMs / 1000);
  return new Problem('clock-behind', {
    detail: `The clock of the service is ${behindSeconds} seconds behind the last recorded time.`,
    retryAfterSeconds: Math.min(behindSeconds, secondsUntilNextLook),
  });
}
