// Formats dates, times, file sizes and money in a language.

import { createDecimalAmountFormatter } from '../values/decimal-amount.ts';
import type { JsonInt64 } from '../values/int64.ts';
import { dateTimeFormat, numberFormat } from '../time/intl-formats.ts';
import type { Language } from './language.ts';

/** `2026-11-20` -> `20 November 2026`. */
export const formatDate = (date: string, language: Language): string =>
  dateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

/** An instant, as `20 Nov 2026, 14:03`. */
export const formatLocalTime = (utc: string, timeZone: string, language: Language): string =>
  dateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(utc));

/** `2026-11-20T14:03:05.000+01:00` -> `14:03`, in the zone of the text. */
export const formatClockTime = (localTime: string, language: Language): string =>
  dateTimeFormat(localeOf(language), { timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(`${localTime.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`),
  );

export const formatCount = (count: number, language: Language): string =>
  numberFormat(localeOf(language), {}).format(count);

/** `-123456`, `DKK` -> `-1.234,56 DKK`, with every digit. An amount of an unknown currency stays in minor units. */
export function createMoneyFormatter(language: Language): (minor: JsonInt64, currency: string | null) => string {
  const locale = localeOf(language);
  const spell = createDecimalAmountFormatter();
  return (minor, currency) => {
    const whole = BigInt(typeof minor === 'number' ? minor : minor.rawJSON);
    if (currency === null) return numberFormat(locale, {}).format(whole);
    const format = numberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' });
    // A number as a text keeps the digits that a double would lose.
    return format.format(spell(whole, currency) as Intl.StringNumericLiteral);
  };
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** In powers of 1,000, with one decimal. */
export function formatSize(bytes: number, language: Language): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const options = { style: 'unit', unit: units[power], maximumFractionDigits: power === 0 ? 0 : 1 } as const;
  return numberFormat(localeOf(language), options).format(bytes / 1000 ** power);
}

/** The portal’s English is British. */
const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);
