// Formats dates and file sizes in a language.

import type { Language } from '../../../lib/language.ts';

/** `2026-11-20` -> `20 November 2026`. */
export const formatDate = (date: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** In powers of 1,000, with one decimal. */
export function formatSize(bytes: number, language: Language): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const options = { style: 'unit', unit: units[power], maximumFractionDigits: power === 0 ? 0 : 1 } as const;
  return new Intl.NumberFormat(localeOf(language), options).format(bytes / 1000 ** power);
}

/** The portal’s English is British. */
const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);
