// Parses and formats the opening intervals of a day. Their grammar is in units/catalogue/opening-settings.ts.

import { openingPattern } from '../../units/catalogue/opening-settings.ts';

/** In minutes since midnight; an end after 1440 is on the next day. Never empty. */
export type MinuteInterval = { readonly from: number; readonly to: number };

/** Sorted; none: closed all day. */
export type DayIntervals = readonly MinuteInterval[];

export const dayMinutes = 1440;

const openingPatternRegExp = new RegExp(`^(?:${openingPattern})$`);

/** Undefined for an invalid text: the hours are unknown. An empty text is closed. */
export function parseDayIntervals(text: string): DayIntervals | undefined {
  if (text === '') return [];
  if (!openingPatternRegExp.test(text)) return undefined;
  if (text === 'closed') return [];
  return text.split(',').map(parseInterval).toSorted(compareByStart);
}

/** Joins intervals that overlap or touch. They, and the result, are sorted by their start. */
export function joinIntervals(intervals: DayIntervals): DayIntervals {
  const joined: MinuteInterval[] = [];
  for (const { from, to } of intervals) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to) joined.push({ from, to });
    else if (to > last.to) joined[joined.length - 1] = { from: last.from, to };
  }
  return joined;
}

/** Formats the minutes of an interval as `HH:MM`; the end of the day is 24:00. */
export function formatClock(minutes: number): string {
  const within = minutes > dayMinutes ? minutes - dayMinutes : minutes;
  return [Math.floor(within / 60), within % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** A key that is equal for equal hours, however they were spelled. */
export const formatIntervalsKey = (hours: DayIntervals | undefined): string =>
  hours?.map(({ from, to }) => `${formatClock(from)}-${formatClock(to)}`).join() ?? '?';

function parseInterval(text: string): MinuteInterval {
  const [from = 0, to = 0] = text.split('-').map(parseClock);
  return { from, to: to <= from ? to + dayMinutes : to };
}

function parseClock(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

const compareByStart = (a: MinuteInterval, b: MinuteInterval): number => a.from - b.from || a.to - b.to;
