// Decides when something that may happen a few times in an hour can happen again.

export const hourlyWindowMs = 3_600_000;

/** The seconds until it can happen again; 0: now. `times` are those of earlier events, MS2000, oldest first. */
export function secondsUntilNext(times: readonly number[], maxPerHour: number, now: number): number {
  const counted = times.filter((time) => time > now - hourlyWindowMs);
  const blocking = counted.at(-maxPerHour);
  return blocking === undefined ? 0 : Math.max(1, Math.ceil((blocking + hourlyWindowMs - now) / 1000));
}
