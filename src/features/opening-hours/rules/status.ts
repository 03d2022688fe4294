// Whether a place is open at an instant, and when that next turns. Hours are wall times of the location's zone: a time
// that a clock change skips counts as that much later, one that it repeats as the first of the two.
//
// A day that is not known says nothing about its own hours, and no span out of it into the next day is assumed.

import { todayIn } from '../../../lib/time-zone.ts';
import { toMs2000 } from '../../../lib/ms2000.ts';
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

const oneDay = { days: 1 };

// An instant after the year 9999 has no spelling.
const lastDay = Temporal.PlainDate.from('9999-12-29');

/** The days of a schedule in a zone; each is worked out once. */
type Days = (date: Temporal.PlainDate) => Day;

export function statusAt(schedule: Schedule, zone: string, now: number): Status {
  return statusToday(daysOf(schedule, zone), todayIn(zone, now), now);
}

/**
 * The first instant after `now` at which the status turns. Null where the status is not known, where it stops being
 * known before it turns, and where it never turns again. What ends at the instant at which the next begins is no turn.
 */
export function nextTurn(schedule: Schedule, zone: string, now: number): Turn | null {
  const [days, today] = [daysOf(schedule, zone), todayIn(zone, now)];
  const status = statusToday(days, today, now);
  if (status === null) return null;
  for (const date of daysAhead(schedule, today)) {
    const around = [days(date.subtract(oneDay)), days(date), days(date.add(oneDay))] as const;
    const turned = turnOn(around, status, now);
    if (turned !== undefined) return turned;
  }
  return null;
}

const statusToday = (days: Days, today: Temporal.PlainDate, now: number): Status =>
  statusOn(days(today.subtract(oneDay)), days(today), now);

/** Undefined where the status stays as it is for the whole day. */
function turnOn([before, day, after]: readonly [Day, Day, Day], status: Status, now: number): Turn | null | undefined {
  const boundaries = [before, day].flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]));
  const instants = [day.startsAt, ...boundaries].filter((at) => at > now && at >= day.startsAt && at < after.startsAt);
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

function daysOf(schedule: Schedule, zone: string): Days {
  const known = new Map<string, Day>();
  return (date) => {
    const name = date.toString();
    const day = known.get(name) ?? dayOf(schedule, zone, date, name);
    known.set(name, day);
    return day;
  };
}

function dayOf({ weekly, exceptions }: Schedule, zone: string, date: Temporal.PlainDate, name: string): Day {
  const exception = exceptions.get(name);
  const hours = exception === undefined ? weekly[date.dayOfWeek - 1] : exception.hours;
  const spans = (hours ?? []).map(({ from, to }) => ({
    from: instantOf(date, from, zone),
    to: instantOf(date, to, zone),
  }));
  return { startsAt: instantOf(date, 0, zone), isKnown: hours !== undefined, spans };
}

function instantOf(date: Temporal.PlainDate, minutes: number, zone: string): number {
  const day = date.add({ days: Math.floor(minutes / dayMinutes) });
  const plainTime = { hour: Math.floor((minutes % dayMinutes) / 60), minute: minutes % 60 };
  return toMs2000(day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds);
}

/** Today, every day with an exception, and the plain days after each of them, in order. */
function* daysAhead({ exceptions }: Schedule, today: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  const { compare } = Temporal.PlainDate;
  let next = today;
  for (const anchor of [today, ...exceptions.keys().map((day) => Temporal.PlainDate.from(day))]) {
    const through = anchor.add({ days: plainDays });
    for (next = compare(anchor, next) > 0 ? anchor : next; compare(next, through) <= 0; next = next.add(oneDay)) {
      if (compare(next, lastDay) > 0) return;
      yield next;
    }
  }
}
