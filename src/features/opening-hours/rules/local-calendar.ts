// The days of a zone around an instant, and the instants of their wall times. One calendar serves all groups of an answer:
// what Temporal says of a day is asked once, and where clocks do not change the rest is arithmetic.

import { fromMs2000, toMs2000 } from '../../../lib/ms2000.ts';
import { todayIn } from '../../../lib/time-zone.ts';

export type CalendarDay = {
  /** `YYYY-MM-DD`. */
  readonly name: string;
  /** ISO, 1 = Monday. */
  readonly weekday: number;
  /** MS2000. */
  readonly startsAt: number;
  /**
   * The instant of a wall time, in minutes since midnight, below a day's 1440. A time that a clock change skips counts
   * as that much later, one that it repeats as the first of the two.
   */
  instantOf(minutes: number): number;
};

export type LocalCalendar = {
  /** MS2000. */
  readonly now: number;
  /** So many days after today; yesterday, -1, is the first. */
  dayAt(ahead: number): CalendarDay;
  /** How many days after today a day is, `YYYY-MM-DD`. */
  daysUntil(name: string): number;
};

const minuteMs = 60_000;

export function createLocalCalendar(zone: string, now: number): LocalCalendar {
  const today = todayIn(zone, now);
  const nextClockChange = createClockChangeLookup(zone);
  const days: CalendarDay[] = [];
  let nextMidnight = midnightMs2000(today.subtract({ days: 1 }), zone);
  const addDay = (): void => {
    const [date, startsAt] = [today.add({ days: days.length - 1 }), nextMidnight];
    nextMidnight = midnightMs2000(date.add({ days: 1 }), zone);
    days.push(createCalendarDay(date, { zone, startsAt, hasClockChange: nextClockChange(startsAt) < nextMidnight }));
  };
  return {
    now,
    dayAt: (ahead) => {
      while (days.length < ahead + 2) addDay();
      return days[ahead + 1]!;
    },
    daysUntil: (name) => today.until(name, { largestUnit: 'day' }).days,
  };
}

type CalendarDayInput = {
  readonly zone: string;
  readonly startsAt: number;
  /** Whether clocks change within it. */
  readonly hasClockChange: boolean;
};

function createCalendarDay(
  date: Temporal.PlainDate,
  { zone, startsAt, hasClockChange }: CalendarDayInput,
): CalendarDay {
  return {
    name: date.toString(),
    weekday: date.dayOfWeek,
    startsAt,
    instantOf: (minutes) => (hasClockChange ? localTimeToMs2000(date, minutes, zone) : startsAt + minutes * minuteMs),
  };
}

/** Answers, for instants that do not go back, when clocks next change: at that instant or later, or never. */
function createClockChangeLookup(zone: string): (from: number) => number {
  let change = Number.NEGATIVE_INFINITY;
  return (from) => {
    if (change < from) change = findNextClockChange(zone, from);
    return change;
  };
}

function findNextClockChange(zone: string, from: number): number {
  const justBefore = Temporal.Instant.fromEpochMilliseconds(fromMs2000(from) - 1).toZonedDateTimeISO(zone);
  const change = justBefore.getTimeZoneTransition('next');
  return change === null ? Number.POSITIVE_INFINITY : toMs2000(change.epochMilliseconds);
}

const midnightMs2000 = (date: Temporal.PlainDate, zone: string): number => localTimeToMs2000(date, 0, zone);

function localTimeToMs2000(date: Temporal.PlainDate, minutes: number, zone: string): number {
  const plainTime = { hour: Math.floor(minutes / 60), minute: minutes % 60 };
  return toMs2000(date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds);
}
