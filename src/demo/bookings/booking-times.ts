// When a unit can be booked, by its policy: every beginning that its steps allow, with every length, on the wall's clock;
// and what those are on a day.

import type { BookingPolicy } from '../../features/bookings/rules/policy.ts';
import {
  bookingFitsAt,
  shortestBookingMinutes,
  listPossibleStarts,
} from '../../features/bookings/rules/possible-starts.ts';
import { toMs2000 } from '../../lib/ms2000.ts';
import { dayMs, minuteMs, type Span } from '../calendar.ts';

/** The days around the present on which demo bookings lie. */
export const pastDays = 60;
export const daysAhead = 14;

/** From `from` up to `to`, in minutes since a day's midnight; the end may lie on a later day. */
export type WallTimeSpan = { readonly from: number; readonly to: number };

/** In the order of their beginnings, the shorter first. */
export function listWallTimeSpans(policy: BookingPolicy): WallTimeSpan[] {
  const found = listPossibleStarts(policy);
  if ('blockedBy' in found) return [];
  const lengths = listBookingLengths(policy);
  return found.starts.flatMap((from) =>
    lengths.filter((minutes) => bookingFitsAt(policy, from, minutes)).map((minutes) => ({ from, to: from + minutes })),
  );
}

/** The shortest booking there can be, and longer ones by whole steps. */
function listBookingLengths(policy: BookingPolicy): number[] {
  const least = shortestBookingMinutes(policy);
  const step = policy.stepMinutes ?? least;
  const more = Math.max(0, (policy.maxLengthMinutes ?? least) - least);
  return Array.from({ length: Math.floor(more / step) + 1 }, (_, at) => least + at * step);
}

/** Undefined where the clocks change so that the time is none. */
export function toInstantSpan(day: Temporal.PlainDate, { from, to }: WallTimeSpan, timeZone: string): Span | undefined {
  const midnight = day.toPlainDateTime();
  const instantOf = (minutes: number): number =>
    toMs2000(midnight.add({ minutes }).toZonedDateTime(timeZone).epochMilliseconds);
  const span = { from: instantOf(from), to: instantOf(to) };
  return span.to > span.from ? span : undefined;
}

/** Long enough before its start to have been booked in time, not before it could be, and not after `now`. */
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
