// Formats dates, times, numbers and money as the reader's language does.

import { localeOf, type Language } from './languages.ts';
import { remember } from './remember.ts';

export type Formats = {
  readonly number: (value: number | bigint) => string;
  /** An amount in minor units, exactly; a currency that is unknown (null) is left out. */
  readonly money: (amountMinor: bigint, currency: string | null) => string;
  /** An amount that the service has computed in major units, such as that of the public statistics. */
  readonly amount: (value: number, currency: string) => string;
  /** A calendar date such as `2026-11-24`. */
  readonly date: (isoDate: string) => string;
  /** An instant in a place's zone; in the browser's own without one. */
  readonly dateTime: (instant: string, timeZone?: string, precision?: 'minutes' | 'seconds') => string;
  readonly time: (instant: string, timeZone?: string) => string;
  /** The end of a time that began at `start`: with its day only if that is another one. */
  readonly until: (start: string, end: string, timeZone?: string) => string;
  /** How long ago or ahead an instant is. */
  readonly relative: (instant: string, now?: number) => string;
  /** The name of a month, 1 = January. */
  readonly month: (month: number) => string;
  /** The name of an ISO weekday, 1 = Monday. */
  readonly weekday: (day: number) => string;
  /** A length in metres, from a thousand on in kilometres. */
  readonly distance: (metres: number) => string;
  /** Compares texts as the language sorts them. */
  readonly compare: (a: string, b: string) => number;
};

/** Used where no currency says how many minor digits an amount has. */
const usualMinorDigits = 2;

const metresPerKilometre = 1000;

export function createFormats(language: Language): Formats {
  const locale = localeOf(language);
  const numbers = once(() => new Intl.NumberFormat(locale));
  const dates = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
  const weekdays = once(() => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }));
  const months = once(() => new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const collator = once(() => new Intl.Collator(locale, { numeric: true }));
  const moneyFormat = remember((currency: string) => createMoneyFormat(locale, currency));
  const amountFormat = remember((currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }));
  const lengthFormat = remember((unit) => new Intl.NumberFormat(locale, { style: 'unit', unit }));
  const dateTimes = remember(
    (timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone(timeZone) }),
  );
  const seconds = remember(
    (timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...zone(timeZone) }),
  );
  const days = remember((timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'short', ...zone(timeZone) }));
  const times = remember(
    (timeZone: string) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone(timeZone) }),
  );
  const dayOf = (instant: string, timeZone: string): string => days(timeZone).format(new Date(instant));
  const formats: Formats = {
    number: (value) => numbers().format(value),
    money: (amountMinor, currency) => moneyFormat(currency ?? '')(amountMinor),
    amount: (value, currency) => amountFormat(currency).format(value),
    date: (isoDate) => dates().format(new Date(`${isoDate}T00:00:00Z`)),
    dateTime: (instant, timeZone = '', precision = 'minutes') =>
      named((precision === 'minutes' ? dateTimes : seconds)(timeZone).format(new Date(instant)), timeZone),
    time: (instant, timeZone = '') => named(times(timeZone).format(new Date(instant)), timeZone),
    until: (start, end, timeZone = '') =>
      dayOf(start, timeZone) === dayOf(end, timeZone) ? formats.time(end, timeZone) : formats.dateTime(end, timeZone),
    relative: (instant, now = Date.now()) => formatRelative(relative(), Date.parse(instant) - now),
    month: (month) => months().format(Date.UTC(2024, month - 1, 1)),
    // 2024-01-01 was a Monday.
    weekday: (day) => weekdays().format(Date.UTC(2024, 0, day)),
    distance: (metres) =>
      metres < metresPerKilometre
        ? lengthFormat('meter').format(metres)
        : lengthFormat('kilometer').format(metres / metresPerKilometre),
    compare: (a, b) => collator().compare(a, b),
  };
  return formats;
}

/** In place of the zone of a place that could not be found out: its times name it, and so are not wrong. */
export const unknownZone = 'Etc/UTC';

const named = (time: string, timeZone: string): string => (timeZone === unknownZone ? `${time} UTC` : time);

const zone = (timeZone: string): Intl.DateTimeFormatOptions => (timeZone === '' ? {} : { timeZone });

function createMoneyFormat(locale: string, currency: string): (amountMinor: bigint) => string {
  const format =
    currency === ''
      ? new Intl.NumberFormat(locale, {
          minimumFractionDigits: usualMinorDigits,
          maximumFractionDigits: usualMinorDigits,
        })
      : new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? usualMinorDigits;
  // A decimal text is formatted exactly; a number would round above 2^53.
  return (amountMinor) => format.format(toDecimal(amountMinor, digits) as Intl.StringNumericLiteral);
}

/** 123456n with 2 digits -> `1234.56`. */
export function toDecimal(amountMinor: bigint, digits: number): string {
  const sign = amountMinor < 0n ? '-' : '';
  const all = String(amountMinor < 0n ? -amountMinor : amountMinor).padStart(digits + 1, '0');
  return digits === 0 ? `${sign}${all}` : `${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

function formatRelative(format: Intl.RelativeTimeFormat, deltaMs: number): string {
  for (const [unit, ms] of units) if (Math.abs(deltaMs) >= ms) return format.format(Math.trunc(deltaMs / ms), unit);
  return format.format(Math.trunc(deltaMs / 1000), 'second');
}

/** Most screens need few of the formatters: each is made when it is first used. */
function once<Value>(make: () => Value): () => Value {
  const made = remember(make);
  return () => made('');
}
