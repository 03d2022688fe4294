// Lists when a unit can be booked by its policy: every start that its steps allow, with every length, in local time.
// Converts these times to instants of a day.

import type { BookingPolicy } from '../../src/features/bookings/rules/policy.ts';
import {
  bookingFitsAt,
  shortestBookingMinutes,
  listPossibleStarts,
} from '../../src/features/bookings/rules/possible-starts.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { type Span } from '../calendar.ts';
import { dayMs, minuteMs } from '../../src/lib/time/durations.ts';

/** The days around the present on which demo bookings lie. */
export const pastDays = 60;
export const daysAhead = 14;

/** From `from` up to `to`, in minutes since a day's midnight; the end may lie on a later day. */
export type WallTimeSpan = { readonly from: number; readonly to: number };

/** Sorted by start, then by length. */
export function listWallTimeSpans(policy: BookingPolicy): WallTimeSpan[] {
  const found = listPossibleStarts(policy);
  if ('blockedBy' in found) return [];
  const lengths = listBookingLengths(policy);
  return found.starts.flatMap((from) =>
    lengths.filter((minutes) => bookingFitsAt(policy, from, minutes)).map((minutes) => ({ from, to: from + minutes })),
  );
}

/** The length of the shortest booking, and longer ones in whole steps. */
function listBookingLengths(policy: BookingPolicy): number[] {
  const least = shortestBookingMinutes(policy);
  const step = policy.stepMinutes ?? least;
  const more = Math.max(0, (policy.maxLengthMinutes ?? least) - least);
  return Array.from({ length: Math.floor(more / step) + 1 }, (_, index) => least + index * step);
}

/** Undefined if a clock change leaves no such time. */
export function toInstantSpan(day: Temporal.PlainDate, { from, to }: WallTimeSpan, timeZone: string): Span | undefined {
  const midnight = day.toPlainDateTime();
  const instantOf = (minutes: number): number =>
    toMs2000(midnight.add({ minutes }).toZonedDateTime(timeZone).epochMilliseconds);
  const span = { from: instantOf(from), to: instantOf(to) };
  return span.to > span.from ? span : undefined;
}

/** An instant at which the booking could have been made: within the notice and the horizon, and not after `now`. */
export function pickBookingInstant(
  { from }: Span,
  { noticeMinutes, horizonDays }: BookingPolicy,
  now: number,
  share: number,
): number {
  const notice = (noticeMinutes ?? 0) * minuteMs;
  const furthest = Math.max(notice, Math.min((horizonDays ?? 30) - 1, 10) * dayMs);
  const wanted = from - notice - Math.floor(share * (furthest - notice));
  return Math.min(wanted, now - Math.floor(share * 30 + 1) * minuteMs);
}
