// Decides whether a unit is open now, and when that changes next. Hours are local times of the location. Of a day with
// unknown hours nothing is assumed, nor an interval that starts on it and ends on the next day.

import type { LocalCalendar } from './local-calendar.ts';
import { dayMinutes } from './opening-intervals.ts';
import type { OpeningSchedule } from './opening-schedule.ts';

/** Null: unknown. */
export type OpenStatus = boolean | null;

/** `at` is MS2000. */
export type StatusChange = { readonly at: number; readonly opens: boolean };

/** From `from` up to, but not including, `to`; MS2000. */
type OpenSpan = { readonly from: number; readonly to: number };

type OpeningDay = { readonly startsAt: number; readonly isKnown: boolean; readonly spans: readonly OpenSpan[] };

// Weeks without exceptions repeat, and a clock change can skip an interval once: a status that changes at all changes
// within this many days.
const maxDaysWithoutException = 15;

export const openStatusNow = (schedule: OpeningSchedule, calendar: LocalCalendar): OpenStatus =>
  openStatusAt(openingDayAt(schedule, calendar, -1), openingDayAt(schedule, calendar, 0), calendar.now);

/**
 * The first change after now. Null if the status is unknown, becomes unknown before it changes, or never changes. An
 * interval that starts when another one ends continues it.
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

/** Undefined if the status does not change on this day; null if it becomes unknown. */
function findStatusChangeOnDay(
  before: OpeningDay,
  day: OpeningDay,
  { status, now, endsAt }: CurrentStatus,
): StatusChange | null | undefined {
  const { startsAt } = day;
  // The most common day without a change: open around the clock.
  if (status === true && day.spans.some(({ from, to }) => from <= startsAt && to >= endsAt)) return undefined;
  const boundaries = [before, day].flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]));
  const instants = [startsAt, ...boundaries].filter((at) => at > now && at >= startsAt && at < endsAt);
  for (const at of instants.toSorted((a, b) => a - b)) {
    const nextStatus = openStatusAt(before, day, at);
    if (nextStatus !== status) return nextStatus === null ? null : { at, opens: nextStatus };
  }
  return undefined;
}

/** The status at an instant of a day. An interval ends on the day after its start at the latest. */
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

/** Minutes from 1440 on are on the next day. */
const instantAt = (calendar: LocalCalendar, ahead: number, minutes: number): number =>
  minutes < dayMinutes
    ? calendar.dayAt(ahead).instantOf(minutes)
    : calendar.dayAt(ahead + 1).instantOf(minutes - dayMinutes);
