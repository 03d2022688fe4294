// Computes the ticks of a time axis at round local times. At clock changes a skipped time has no tick, and a repeated
// one has two.

import type { OffsetInterval } from '../rules/local-times.ts';

export type TimeTick = {
  readonly ms2000: number;
  /** The MS2000 at which a clock in UTC shows the same time. */
  readonly localMs: number;
};

export type TimeStep = { readonly ms: number; readonly shows: 'seconds' | 'minutes' | 'days' | 'weeks' };

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

const steps: readonly TimeStep[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ ms: count * second, shows: 'seconds' as const })),
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ ms: count * minute, shows: 'minutes' as const })),
  ...[1, 2, 3, 6, 12].map((count) => ({ ms: count * hour, shows: 'minutes' as const })),
  ...[1, 2].map((count) => ({ ms: count * day, shows: 'days' as const })),
  ...[1, 2, 4].map((count) => ({ ms: count * 7 * day, shows: 'weeks' as const })),
];

/** The width of a label with a gap. */
const minSpacings = { seconds: 82, minutes: 66, days: 96, weeks: 60 } as const;

/** The smallest step whose labels do not overlap. */
export const chooseTimeStep = (durationMs: number, width: number): TimeStep =>
  steps.find(({ ms, shows }) => (ms / durationMs) * width >= minSpacings[shows]) ?? (steps.at(-1) as TimeStep);

/** Weeks begin on Mondays; 2000-01-01 was a Saturday. */
const firstMonday = 2 * day;

export function findTimeTicks(intervals: readonly OffsetInterval[], stepMs: number): TimeTick[] {
  const phase = stepMs % (7 * day) === 0 ? firstMonday : 0;
  return intervals.flatMap(({ fromMs2000, throughMs2000, offsetMs }) => {
    const first = Math.ceil((fromMs2000 + offsetMs - phase) / stepMs) * stepMs + phase;
    const ticks: TimeTick[] = [];
    for (let localMs = first; localMs <= throughMs2000 + offsetMs; localMs += stepMs)
      ticks.push({ ms2000: localMs - offsetMs, localMs });
    return ticks;
  });
}

/** The first instant of each local day after the first one; midnight, unless clocks skip it. */
export function findDayStarts(intervals: readonly OffsetInterval[]): TimeTick[] {
  const starts: TimeTick[] = [];
  let lastDay = Number.NaN;
  for (const { fromMs2000, throughMs2000, offsetMs } of intervals) {
    const firstDay = Math.floor((fromMs2000 + offsetMs) / day);
    for (let index = firstDay; index * day <= throughMs2000 + offsetMs; index += 1) {
      const ms2000 = Math.max(fromMs2000, index * day - offsetMs);
      if (!Number.isNaN(lastDay) && index > lastDay) starts.push({ ms2000, localMs: ms2000 + offsetMs });
      lastDay = Number.isNaN(lastDay) ? index : Math.max(lastDay, index);
    }
  }
  return starts;
}
