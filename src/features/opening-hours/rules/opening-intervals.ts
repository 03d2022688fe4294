// The hours of one day, read from the text that a setting or an exception holds (units/catalogue/opening.ts).

import { openingPattern } from '../../units/catalogue/opening-settings.ts';

/** In minutes since the day's midnight; an end beyond a day's 1440 lies on the next day. Never empty. */
export type OpeningInterval = { readonly from: number; readonly to: number };

/** What a day has of openings, sorted; none is a closed day. */
export type DayIntervals = readonly OpeningInterval[];

export const dayMinutes = 1440;

const openingPatternRegExp = new RegExp(`^(?:${openingPattern})$`);

/** Undefined for a text that is no hours, so that they are not known. Nothing written is closed. */
export function parseDayIntervals(text: string): DayIntervals | undefined {
  if (text === '') return [];
  if (!openingPatternRegExp.test(text)) return undefined;
  if (text === 'closed') return [];
  return text.split(',').map(parseInterval).toSorted(compareByStart);
}

/** `HH:MM` of minutes as intervals have them: what ends with its day ends at 24:00. */
export function formatClock(minutes: number): string {
  const within = minutes > dayMinutes ? minutes - dayMinutes : minutes;
  return [Math.floor(within / 60), within % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The same for hours that are the same, however they were written. */
export const formatIntervalsKey = (hours: DayIntervals | undefined): string =>
  hours?.map(({ from, to }) => `${formatClock(from)}-${formatClock(to)}`).join() ?? '?';

function parseInterval(text: string): OpeningInterval {
  const [from = 0, to = 0] = text.split('-').map(parseClock);
  return { from, to: to <= from ? to + dayMinutes : to };
}

function parseClock(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

const compareByStart = (a: OpeningInterval, b: OpeningInterval): number => a.from - b.from || a.to - b.to;
