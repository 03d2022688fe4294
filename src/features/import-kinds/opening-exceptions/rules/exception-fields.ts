// Parses the fields of an opening exception.

import { parseText } from '../../../../lib/values/field-values.ts';
import { parseCivilDate } from '../../../../lib/time/time-zone.ts';
import { formatIntervalsKey, parseDayIntervals } from '../../../opening-hours/rules/opening-intervals.ts';
import type { ImportTarget, ParsedRow, RowValues } from '../../import-kind.ts';
import { fieldError, parseFields, type FieldParser, type FieldParsers } from '../../rules/parse-fields.ts';

/** As the table has room for it. */
const maxTextLength = 200;
const closed = 'closed';

/** The spelling of stored intervals; a text that is none stays as it is. */
export function formatIntervals(stored: string): string {
  const intervals = parseDayIntervals(stored);
  if (intervals === undefined) return stored;
  return intervals.length === 0 ? closed : formatIntervalsKey(intervals);
}

const parseIntervals: FieldParser = (text) => {
  const value = text.replaceAll(/\s/g, '').toLowerCase();
  if (value === '') return { reason: `must be ${closed}, or intervals` };
  return parseDayIntervals(value) === undefined
    ? { reason: `must be ${closed}, or up to eight intervals such as 07:00-12:00,13:00-22:00` }
    : { value: formatIntervals(value) };
};

const parseDay: FieldParser = (text) =>
  parseCivilDate(text.trim()) === undefined ? { reason: 'must be a date, YYYY-MM-DD' } : { value: text.trim() };

const parsers: FieldParsers = {
  day: parseDay,
  intervals: parseIntervals,
  text: (text) => parseText(text, maxTextLength),
};

export function parseExceptionRow(values: RowValues, target: ImportTarget): ParsedRow {
  const parsed = parseFields(values, parsers, target);
  const { location = '', unit = '' } = values;
  return location === '' || unit === '' ? parsed : { ...parsed, errors: [...parsed.errors, twoPlaces] };
}

const twoPlaces = fieldError('unit', 'invalid', 'must be empty where a location is given');
export const noPlace = fieldError('location', 'required', 'must not be empty where no unit is given');
