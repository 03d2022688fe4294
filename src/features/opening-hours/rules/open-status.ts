// Decides whether a unit is open now, and when that changes next.

import type { LocalCalendar } from './local-calendar.ts';
import { dayMinutes, joinIntervals, type DayIntervals } from './opening-intervals.ts';
import type { OpeningSchedule } from './opening-schedule.ts';

/** Null: unknown. */
type OpenStatus = boolean | null;

/** `at` is MS2000. */
type StatusChange = { readonly at: number; readonly opens: boolean };

/** From `from` up to, but not including, `to`; MS2000. */
type OpenSpan = { readonly from: number; readonly to: number };

/**
 * `spans` also contains the intervals of the day before that end on this day. Hours are local times of the location. On
 * a day with unknown hours the status is unknown, and no interval continues from that day into the next day.
 */
type OpeningDay = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly isKnown: boolean;
  readonly spans: readonly OpenSpan[];
};

// Weeks without exceptions repeat, and a clock change can skip an interval once: a status that changes at all changes
// within this many days.
const maxDaysWithoutException = 15;

export const openStatusNow = (schedule: OpeningSchedule, calendar: LocalCalendar): OpenStatus =>
  openStatusAt(openingDayAt(schedule, calendar, 0), calendar.now);

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
  for (let ahead = 0; ahead <= through; ahead += 1) {
    const statusChange = findStatusChangeOnDay(openingDayAt(schedule, calendar, ahead), status, calendar.now);
    if (statusChange !== undefined) return statusChange;
  }
  return null;
}

/** Undefined if the status does not change on this day; null if it becomes unknown. */
function findStatusChangeOnDay(day: OpeningDay, status: boolean, now: number): StatusChange | null | undefined {
  const { startsAt, endsAt, spans } = day;
  // The most common day without a change: open around the clock.
  if (status && spans.some(({ from, to }) => from <= startsAt && to >= endsAt)) return undefined;
  const boundaries = [startsAt, ...spans.flatMap(({ from, to }) => [from, to])];
  const instants = boundaries.filter((instant) => instant > now && instant >= startsAt && instant < endsAt);
  // A clock change that skips a boundary moves it behind later ones.
  for (const instant of instants.toSorted((a, b) => a - b)) {
    const nextStatus = openStatusAt(day, instant);
    if (nextStatus !== status) return nextStatus === null ? null : { at: instant, opens: nextStatus };
  }
  return undefined;
}

function openStatusAt({ spans, isKnown }: OpeningDay, instant: number): OpenStatus {
  if (spans.some(({ from, to }) => from <= instant && instant < to)) return true;
  return isKnown ? false : null;
}

/**
 * Intervals are joined as local times, before they become instants: hours without a gap on the clock have none on the
 * day of a clock change either. An interval ends on the day after its start at the latest.
 */
function openingDayAt(schedule: OpeningSchedule, calendar: LocalCalendar, ahead: number): OpeningDay {
  const hours = hoursOnDay(schedule, calendar, ahead);
  const fromDayBefore = (hoursOnDay(schedule, calendar, ahead - 1) ?? [])
    .filter(({ to }) => to >= dayMinutes)
    .map(({ to }) => ({ from: 0, to: to - dayMinutes }));
  const spans = joinIntervals([...fromDayBefore, ...(hours ?? [])]).map(({ from, to }) => ({
    from: instantAt(calendar, ahead, from),
    to: instantAt(calendar, ahead, to),
  }));
  const { startsAt } = calendar.dayAt(ahead);
  return { startsAt, endsAt: calendar.dayAt(ahead + 1).startsAt, isKnown: hours !== undefined, spans };
}

/** Undefined: unknown. */
function hoursOnDay(schedule: OpeningSchedule, calendar: LocalCalendar, ahead: number): DayIntervals | undefined {
  const { name, weekday } = calendar.dayAt(ahead);
  const exception = schedule.exceptions.get(name);
  return exception === undefined ? schedule.weekly[weekday - 1] : exception.hours;
}

/** Minutes from 1440 on are on the next day. */
const instantAt = (calendar: LocalCalendar, ahead: number, minutes: number): number =>
  minutes < dayMinutes
    ? calendar.dayAt(ahead).instantOf(minutes)
    : calendar.dayAt(ahead + 1).instantOf(minutes - dayMinutes);
