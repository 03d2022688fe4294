// Whether a place is open now, and when that next turns. Hours are wall times of the location's zone.
//
// A day that is not known says nothing about its own hours, and no span out of it into the next day is assumed.

import type { LocalCalendar } from './local-calendar.ts';
import { dayMinutes } from './opening-intervals.ts';
import type { OpeningSchedule } from './opening-schedule.ts';

/** Null: not known. */
export type OpenStatus = boolean | null;

/** `at` is MS2000. */
export type StatusChange = { readonly at: number; readonly opens: boolean };

/** From `from` up to, but not including, `to`; MS2000. */
type OpenSpan = { readonly from: number; readonly to: number };

type OpeningDay = { readonly startsAt: number; readonly isKnown: boolean; readonly spans: readonly OpenSpan[] };

// Weeks without exceptions repeat themselves, but a clock change can swallow an interval once: what turns at all turns
// within this many days.
const maxDaysWithoutException = 15;

export const openStatusNow = (schedule: OpeningSchedule, calendar: LocalCalendar): OpenStatus =>
  openStatusAt(openingDayAt(schedule, calendar, -1), openingDayAt(schedule, calendar, 0), calendar.now);

/**
 * The first instant after now at which the status turns. Null where the status is not known, where it stops being known
 * before it turns, and where it never turns again. What ends at the instant at which the next begins is no turn.
 */
export function findNextStatusChange(schedule: OpeningSchedule, calendar: LocalCalendar): StatusChange | null {
  const status = openStatusNow(schedule, calendar);
  if (status === null) return null;
  const lastException = [...schedule.exceptions.keys()].at(-1);
  const through =
    maxDaysWithoutException + Math.max(0, lastException === undefined ? 0 : calendar.daysUntil(lastException));
  let previousDay = openingDayAt(schedule, calendar, -1);
  for (let ahead = 0; ahead <= through; ahead += 1) {
    const day = openingDayAt(schedule, calendar, ahead);
    const statusChange = findStatusChangeOnDay(previousDay, day, {
      status,
      now: calendar.now,
      endsAt: calendar.dayAt(ahead + 1).startsAt,
    });
    if (statusChange !== undefined) return statusChange;
    previousDay = day;
  }
  return null;
}

type CurrentStatus = { readonly status: OpenStatus; readonly now: number; readonly endsAt: number };

/** Undefined where the status stays as it is for the whole day. */
function findStatusChangeOnDay(
  before: OpeningDay,
  day: OpeningDay,
  { status, now, endsAt }: CurrentStatus,
): StatusChange | null | undefined {
  const { startsAt } = day;
  // Most of what is long without a turn is open around the clock.
  if (status === true && day.spans.some(({ from, to }) => from <= startsAt && to >= endsAt)) return undefined;
  const boundaries = [before, day].flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]));
  const instants = [startsAt, ...boundaries].filter((at) => at > now && at >= startsAt && at < endsAt);
  for (const at of instants.toSorted((a, b) => a - b)) {
    const nextStatus = openStatusAt(before, day, at);
    if (nextStatus !== status) return nextStatus === null ? null : { at, opens: nextStatus };
  }
  return undefined;
}

/** At an instant of a day; nothing lasts beyond the day after the one on which it begins. */
function openStatusAt(before: OpeningDay, day: OpeningDay, at: number): OpenStatus {
  const isOpen = [before, day].some(({ spans }) => spans.some(({ from, to }) => from <= at && at < to));
  if (isOpen) return true;
  return day.isKnown ? false : null;
}

function openingDayAt({ weekly, exceptions }: OpeningSchedule, calendar: LocalCalendar, ahead: number): OpeningDay {
  const { name, weekday, startsAt } = calendar.dayAt(ahead);
  const exception = exceptions.get(name);
  const hours = exception === undefined ? weekly[weekday - 1] : exception.hours;
  const spans = (hours ?? []).map(({ from, to }) => ({
    from: instantAt(calendar, ahead, from),
    to: instantAt(calendar, ahead, to),
  }));
  return { startsAt, isKnown: hours !== undefined, spans };
}

/** What lies beyond a day's 1440 minutes lies on the next. */
const instantAt = (calendar: LocalCalendar, ahead: number, minutes: number): number =>
  minutes < dayMinutes
    ? calendar.dayAt(ahead).instantOf(minutes)
    : calendar.dayAt(ahead + 1).instantOf(minutes - dayMinutes);
