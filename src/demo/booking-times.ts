// When a unit can be booked, by its policy: every beginning that its steps allow, with every length, on the wall's clock;
// and what those are on a day.

import type { Policy } from '../features/bookings/rules/policy.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import { dayMs, minuteMs, type Span } from './calendar.ts';

/** The days around the present on which demo bookings lie. */
export const pastDays = 60;
export const daysAhead = 14;

const wholeDay = 24 * 60;

/** From `from` up to `to`, in minutes since a day's midnight; the end may lie on a later day. */
export type WallTime = { readonly from: number; readonly to: number };

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** In the order of their beginnings, the shorter first. */
export function wallTimes(policy: Policy): WallTime[] {
  const hours = hoursOf(policy);
  const { stepMinutes, minLengthMinutes, maxLengthMinutes, lastStart } = policy;
  const shortest = minLengthMinutes ?? stepMinutes ?? 60;
  const longest = maxLengthMinutes ?? shortest;
  const step = stepMinutes ?? shortest;
  const latest = Math.min(lastStart === null ? hours.to : minutesOf(lastStart), hours.from + wholeDay - 1);
  const times: WallTime[] = [];
  for (let from = hours.from; from <= latest; from += step)
    for (let to = from + shortest; to <= Math.min(from + longest, hours.to); to += step) times.push({ from, to });
  return times.filter((time) => !isQuiet(time, policy));
}

/** The hours in which bookings lie; around the clock they may run into the days after. */
function hoursOf({ from, through, maxLengthMinutes }: Policy): WallTime {
  if (from === null || through === null) return { from: 0, to: wholeDay + (maxLengthMinutes ?? 0) };
  return within(from, through);
}

/** An end at or before the beginning lies on the next day. */
function within(from: string, through: string): WallTime {
  const [first, last] = [minutesOf(from), minutesOf(through)];
  return { from: first, to: last <= first ? last + wholeDay : last };
}

function isQuiet({ from, to }: WallTime, { quietFrom, quietThrough }: Policy): boolean {
  if (quietFrom === null || quietThrough === null) return false;
  const quiet = within(quietFrom, quietThrough);
  return [-wholeDay, 0, wholeDay].some((shift) => from < quiet.to + shift && quiet.from + shift < to);
}

/** Undefined where the clocks change so that the time is none. */
export function spanOn(day: Temporal.PlainDate, { from, to }: WallTime, timeZone: string): Span | undefined {
  const midnight = day.toPlainDateTime();
  const instantOf = (minutes: number): number =>
    toMs2000(midnight.add({ minutes }).toZonedDateTime(timeZone).epochMilliseconds);
  const span = { from: instantOf(from), to: instantOf(to) };
  return span.to > span.from ? span : undefined;
}

/** Long enough before its start to have been booked in time, not before it could be, and not after `now`. */
export function madeBefore({ from }: Span, { noticeMinutes, horizonDays }: Policy, now: number, share: number): number {
  const notice = (noticeMinutes ?? 0) * minuteMs;
  const furthest = Math.max(notice, Math.min((horizonDays ?? 30) - 1, 10) * dayMs);
  const wanted = from - notice - Math.floor(share * (furthest - notice));
  return Math.min(wanted, now - Math.floor(share * 30 + 1) * minuteMs);
}
