// The formatters of Intl, each made once. Making one takes up to 150 microseconds, and 32 kB outside the heap of JavaScript:
// the garbage collector does not count them, and leaves gigabytes of them lying.

import { LRUCache } from 'lru-cache';

/** More than the languages, currencies and time zones of a deployment have together. */
const maxKept = 300;

function keepFormats<Options, Format extends object>(
  create: new (locale: string, options: Options) => Format,
): (locale: string, options: Options) => Format {
  const kept = new LRUCache<string, Format>({ max: maxKept });
  return (locale, options) => {
    const key = JSON.stringify([locale, options]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const format = new create(locale, options);
    kept.set(key, format);
    return format;
  };
}

export const dateTimeFormat = keepFormats<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);
export const numberFormat = keepFormats<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);
export const collator = keepFormats<Intl.CollatorOptions, Intl.Collator>(Intl.Collator);
export const listFormat = keepFormats<Intl.ListFormatOptions, Intl.ListFormat>(Intl.ListFormat);
export const pluralRules = keepFormats<Intl.PluralRulesOptions, Intl.PluralRules>(Intl.PluralRules);
