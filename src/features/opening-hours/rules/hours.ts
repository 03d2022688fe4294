// The hours of one day, read from the text that a setting or an exception holds (units/catalogue/opening.ts).

import { openingPattern } from '../../units/catalogue/opening.ts';

/** In minutes since the day's midnight; an end beyond a day's 1440 lies on the next day. Never empty. */
export type Interval = { readonly from: number; readonly to: number };

/** What a day has of openings, sorted; none is a closed day. */
export type Hours = readonly Interval[];

export const dayMinutes = 1440;

const grammar = new RegExp(`^(?:${openingPattern})$`);

/** Undefined for a text that is no hours, so that they are not known. Nothing written is closed. */
export function parseHours(text: string): Hours | undefined {
  if (text === '') return [];
  if (!grammar.test(text)) return undefined;
  if (text === 'closed') return [];
  return text.split(',').map(parseInterval).toSorted(byBeginning);
}

/** `HH:MM` of minutes as intervals have them: what ends with its day ends at 24:00. */
export function clockText(minutes: number): string {
  const within = minutes > dayMinutes ? minutes - dayMinutes : minutes;
  return [Math.floor(within / 60), within % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The same for hours that are the same, however they were written. */
export const hoursKey = (hours: Hours | undefined): string =>
  hours?.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join() ?? '?';

function parseInterval(text: string): Interval {
  const [from = 0, to = 0] = text.split('-').map(parseClock);
  return { from, to: to <= from ? to + dayMinutes : to };
}

function parseClock(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

const byBeginning = (a: Interval, b: Interval): number => a.from - b.from || a.to - b.to;
