// Parses fields that several kinds have.

import { parseDecimalInt64 } from '../../../lib/values/int64.ts';
import type { FieldParser } from '../import-kind.ts';
import { unknownCurrency } from './decimal-fields.ts';
import { parseImportTime } from './import-time.ts';

/** `parse` returns the one spelling of a text; undefined where the text has none. */
export const parserWith =
  (parse: (text: string) => string | undefined, reason: string): FieldParser =>
  (text) => {
    const value = parse(text);
    return value === undefined ? { reason } : { value };
  };

/** As {@link parserWith}, without the spaces around the text. */
export const parserOfTrimmed = (parse: (text: string) => string | undefined, reason: string): FieldParser =>
  parserWith((text) => parse(text.trim()), reason);

const findWord = (words: readonly string[], text: string): string | undefined =>
  words.find((word) => word.toLowerCase() === text.toLowerCase());

export const parserOfWords = (words: readonly string[], reason = `must be one of ${words.join(', ')}`): FieldParser =>
  parserWith((text) => findWord(words, text), reason);

/** Without the spaces around the text; an empty one is the default. */
export const parserOfWordsOr = (words: readonly string[], fallback: string, reason?: string): FieldParser =>
  parserOfTrimmed((text) => findWord(words, text || fallback), reason ?? `must be one of ${words.join(', ')}`);

export const parserMatching = (pattern: RegExp, reason: string): FieldParser =>
  parserWith((text) => (pattern.test(text) ? text : undefined), reason);

export const parseTime: FieldParser = parserWith(
  parseImportTime,
  'must be a time such as 2026-01-31T08:15:00Z or 2026-01-31 08:15',
);

/** False is the same as empty. */
export const parseFlag: FieldParser = parserWith((text) => {
  const word = findWord(['true', 'false'], text);
  return word === 'false' ? '' : word;
}, 'must be true or false');

/**
 * A number with a decimal point, or with a decimal comma that is one for sure: the comma of `1,234` may part thousands.
 */
export function pointNumber(text: string): string | undefined {
  const [, whole = '', mark, fraction = ''] = /^(-?\d{1,30})(?:([.,])(\d{1,30}))?$/.exec(text.trim()) ?? [];
  if (whole === '') return undefined;
  if (mark === ',' && fraction.length === 3 && /^-?[1-9]\d{0,2}$/.test(whole)) return undefined;
  return mark === undefined ? whole : `${whole}.${fraction}`;
}

export const parseMinorUnits = (text: string): string | undefined => parseDecimalInt64(text)?.toString();

const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), unknownCurrency]);

export const parseCurrencyCode: FieldParser = parserWith((text) => {
  const code = text.toUpperCase();
  return currencies.has(code) ? code : undefined;
}, 'must be a code of ISO 4217');
