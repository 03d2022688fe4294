// The fields of opening exceptions, and what they mean together.

import { parseText } from '../../../../lib/values/field-values.ts';
import { parseCivilDate } from '../../../../lib/time/time-zone.ts';
import { formatIntervalsKey, parseDayIntervals } from '../../../opening-hours/rules/opening-intervals.ts';
import type { FieldParser, FieldTable, ImportTarget, ParsedFields } from '../../import-kind.ts';
import { locationKidOf, unitKidOfRow } from '../../rules/bank-kids.ts';
import { parserOfTrimmed } from '../../rules/field-parsers.ts';
import { addErrors, fieldError } from '../../rules/parse-fields.ts';
import type { StoredExceptionRow } from '../queries/exception-rows.ts';

/** The table has room for so many characters. */
const maxTextLength = 200;
const closed = 'closed';

/** The spelling of stored intervals; a text that is none stays as it is. */
function formatIntervals(stored: string): string {
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

const parseDay = parserOfTrimmed(
  (text) => (parseCivilDate(text) === undefined ? undefined : text),
  'must be a date, YYYY-MM-DD',
);

/** An exception of unit 0 is one of all units of the location. */
export const placeKidOf = (target: ImportTarget, row: StoredExceptionRow): string =>
  row.unit_id === 0 ? locationKidOf(target, row.location_id) : unitKidOfRow(target, row);

export const exceptionFields: FieldTable<StoredExceptionRow> = {
  location: {
    description: 'The location, if the exception is one of all its units that have none of their own on that day.',
    example: '1',
    isFixed: true,
    references: 'locations',
    write: (row, target) => (row.unit_id === 0 ? placeKidOf(target, row) : ''),
  },
  unit: {
    description: 'The unit, if it is an exception of one unit.',
    example: '',
    isFixed: true,
    references: 'units',
    write: (row, target) => (row.unit_id === 0 ? '' : placeKidOf(target, row)),
  },
  day: {
    description: 'Local day, `YYYY-MM-DD`.',
    example: '2027-01-01',
    isRequired: true,
    isFixed: true,
    parse: parseDay,
    write: ({ day }) => day,
  },
  intervals: {
    description:
      '`closed`, or up to eight intervals, which replace those of the weekday: `07:00-12:00,13:00-22:00`. One that ends at or before its start ends on the next day.',
    example: 'closed',
    isRequired: true,
    parse: parseIntervals,
    write: ({ intervals }) => formatIntervals(intervals),
  },
  text: {
    description: 'What the day is, up to 200 characters.',
    example: 'New Year’s Day',
    parse: (text) => parseText(text, maxTextLength),
    write: ({ text }) => text,
  },
};

export function combineException(parsed: ParsedFields): ParsedFields {
  const { location = '', unit = '' } = parsed.values;
  return addErrors(parsed, location === '' || unit === '' ? [] : [twoPlaces]);
}

const twoPlaces = fieldError('unit', 'invalid', 'must be empty where a location is given');
export const noPlace = fieldError('location', 'required', 'must not be empty where no unit is given');
