// Converts local times of a zone to instants, for the days around an instant. One calendar serves all groups of a
// response: Temporal computes each day once, and only days with a clock change need it for each time.

import { fromMs2000, toMs2000 } from '../../../lib/time/ms2000.ts';
import { todayIn } from '../../../lib/time/time-zone.ts';
import { minuteMs } from '../../../lib/time/durations.ts';

type CalendarDay = {
  /** `YYYY-MM-DD`. */
  readonly name: string;
  /** ISO, 1 = Monday. */
  readonly weekday: number;
  /** MS2000. */
  readonly startsAt: number;
  /**
   * The instant of a local time, in minutes since midnight below 1440. Skipped and repeated times are resolved as
   * Temporal's disambiguation `compatible` does.
   */
  instantOf(minutes: number): number;
};

export type LocalCalendar = {
  /** MS2000. */
  readonly now: number;
  /** The day this many days after today; -1, yesterday, is the first. */
  dayAt(ahead: number): CalendarDay;
  /** The number of days from today to a day, `YYYY-MM-DD`. */
  daysUntil(name: string): number;
};

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
  /** Whether a clock change lies within the day. */
  readonly hasClockChange: boolean;
};

const createCalendarDay = (
  date: Temporal.PlainDate,
  { zone, startsAt, hasClockChange }: CalendarDayInput,
): CalendarDay => ({
  name: date.toString(),
  weekday: date.dayOfWeek,
  startsAt,
  instantOf: (minutes) => (hasClockChange ? localTimeToMs2000(date, minutes, zone) : startsAt + minutes * minuteMs),
});

/** Returns a function that finds the next clock change at or after an instant. Its arguments must not decrease. */
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
