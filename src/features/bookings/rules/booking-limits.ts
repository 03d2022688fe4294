// Checks the limits on a resident's bookings: how many may be upcoming, and how many may start in one local day, ISO
// week and month.

import { dayInterval, todayIn } from '../../../lib/time/time-zone.ts';
import type { RefusalCode } from './refusal-codes.ts';
import type { BookingPolicy } from './policy.ts';

type BookingLimits = Pick<BookingPolicy, 'maxOpen' | 'maxPerDay' | 'maxPerWeek' | 'maxPerMonth'>;

type LimitCandidate = {
  readonly startAt: number;
  /** The time zone that decides the days. */
  readonly timeZone: string;
  readonly now: number;
};

/** The limits that one more booking would exceed, given the starts of the others. */
export function listExceededLimits(
  limits: BookingLimits,
  otherStarts: readonly number[],
  candidate: LimitCandidate,
): RefusalCode[] {
  const { maxOpen } = limits;
  const { startAt, now } = candidate;
  // A booking is upcoming until it starts.
  const upcomingCount = startAt > now ? 1 + otherStarts.filter((start) => start > now).length : 0;
  const exceedsMaxOpen = maxOpen !== null && upcomingCount > maxOpen;
  return [
    ...(exceedsMaxOpen ? (['max-open'] as const) : []),
    ...listExceededPeriodLimits(limits, otherStarts, candidate),
  ];
}

/**
 * The first instant at which the limit of upcoming bookings allows one more: its own start, or that of enough others.
 */
export function maxOpenAllowsAt(maxOpen: number, otherStarts: readonly number[], startAt: number): number {
  const latestFirst = otherStarts.toSorted((a, b) => b - a);
  const last = maxOpen > 0 ? latestFirst[maxOpen - 1] : startAt;
  return last === undefined ? Number.NEGATIVE_INFINITY : Math.min(startAt, last);
}

function listExceededPeriodLimits(
  { maxPerDay, maxPerWeek, maxPerMonth }: BookingLimits,
  otherStarts: readonly number[],
  { startAt, timeZone }: LimitCandidate,
): RefusalCode[] {
  if (maxPerDay === null && maxPerWeek === null && maxPerMonth === null) return [];
  const day = todayIn(timeZone, startAt);
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  const first = day.with({ day: 1 });
  const periods: [code: RefusalCode, limit: number | null, from: Temporal.PlainDate, days: number][] = [
    ['max-per-day', maxPerDay, day, 1],
    ['max-per-week', maxPerWeek, monday, monday.daysInWeek],
    ['max-per-month', maxPerMonth, first, first.daysInMonth],
  ];
  return periods.flatMap(([code, limit, from, days]) => {
    if (limit === null) return [];
    const { fromMs2000, toMs2000 } = dayInterval(from, from.add({ days: days - 1 }), timeZone);
    return 1 + otherStarts.filter((start) => start >= fromMs2000 && start < toMs2000).length > limit ? [code] : [];
  });
}
