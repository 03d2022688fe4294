// Decides the time at which something is recorded, and detects a clock that was set back.

import { Problem } from '../problem.ts';

/** How far the clocks of two replicas may differ. */
const clockToleranceMs = 2000;

type RequestTimes = {
  /** When the request came in. */
  readonly now: number;
  /** When the latest record was read. */
  readonly currentTime: number;
};

/** Whether a clock that shows this time was set back since the latest record. */
export const isClockBehind = (latest: number, currentTime: number): boolean => latest - currentTime > clockToleranceMs;

/**
 * The time of the request, but not before the latest record, which may have been added while the request waited for its
 * turn. Throws 503 `clock-behind`.
 */
export function decideRecordingTime(latest: number, { now, currentTime }: RequestTimes): number {
  if (isClockBehind(latest, currentTime)) throw createClockProblem(latest - currentTime);
  return Math.max(now, latest);
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
