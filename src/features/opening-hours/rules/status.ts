// Whether a place is open now, and when that next turns. Hours are wall times of the location's zone.
//
// A day that is not known says nothing about its own hours, and no span out of it into the next day is assumed.

import type { Calendar } from './calendar.ts';
import { dayMinutes } from './hours.ts';
import type { Schedule } from './schedule.ts';

/** Null: not known. */
export type Status = boolean | null;

/** `at` is MS2000. */
export type Turn = { readonly at: number; readonly opens: boolean };

/** From `from` up to, but not including, `to`; MS2000. */
type Span = { readonly from: number; readonly to: number };

type Day = { readonly startsAt: number; readonly isKnown: boolean; readonly spans: readonly Span[] };

// Weeks without exceptions repeat themselves, but a clock change can swallow an interval once: what turns at all turns
// within this many days.
const plainDays = 15;

export const statusNow = (schedule: Schedule, calendar: Calendar): Status =>
  statusOn(dayOf(schedule, calendar, -1), dayOf(schedule, calendar, 0), calendar.now);

/**
 * The first instant after now at which the status turns. Null where the status is not known, where it stops being known
 * before it turns, and where it never turns again. What ends at the instant at which the next begins is no turn.
 */
export function nextTurn(schedule: Schedule, calendar: Calendar): Turn | null {
  const status = statusNow(schedule, calendar);
  if (status === null) return null;
  const lastException = [...schedule.exceptions.keys()].at(-1);
  const through = plainDays + Math.max(0, lastException === undefined ? 0 : calendar.daysUntil(lastException));
  let before = dayOf(schedule, calendar, -1);
  for (let ahead = 0; ahead <= through; ahead += 1) {
    const day = dayOf(schedule, calendar, ahead);
    const turned = turnOn(before, day, { status, now: calendar.now, endsAt: calendar.day(ahead + 1).startsAt });
    if (turned !== undefined) return turned;
    before = day;
  }
  return null;
}

type Standing = { readonly status: Status; readonly now: number; readonly endsAt: number };

/** Undefined where the status stays as it is for the whole day. */
function turnOn(before: Day, day: Day, { status, now, endsAt }: Standing): Turn | null | undefined {
  const { startsAt } = day;
  // Most of what is long without a turn is open around the clock.
  if (status === true && day.spans.some(({ from, to }) => from <= startsAt && to >= endsAt)) return undefined;
  const boundaries = [before, day].flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]));
  const instants = [startsAt, ...boundaries].filter((at) => at > now && at >= startsAt && at < endsAt);
  for (const at of instants.toSorted((a, b) => a - b)) {
    const then = statusOn(before, day, at);
    if (then !== status) return then === null ? null : { at, opens: then };
  }
  return undefined;
}

/** At an instant of a day; nothing lasts beyond the day after the one on which it begins. */
function statusOn(before: Day, day: Day, at: number): Status {
  const isOpen = [before, day].some(({ spans }) => spans.some(({ from, to }) => from <= at && at < to));
  if (isOpen) return true;
  return day.isKnown ? false : null;
}

function dayOf({ weekly, exceptions }: Schedule, calendar: Calendar, ahead: number): Day {
  const { name, weekday, startsAt } = calendar.day(ahead);
  const exception = exceptions.get(name);
  const hours = exception === undefined ? weekly[weekday - 1] : exception.hours;
  const spans = (hours ?? []).map(({ from, to }) => ({
    from: instantOf(calendar, ahead, from),
    to: instantOf(calendar, ahead, to),
  }));
  return { startsAt, isKnown: hours !== undefined, spans };
}

/** What lies beyond a day's 1440 minutes lies on the next. */
const instantOf = (calendar: Calendar, ahead: number, minutes: number): number =>
  minutes < dayMinutes
    ? calendar.day(ahead).instantOf(minutes)
    : calendar.day(ahead + 1).instantOf(minutes - dayMinutes);
