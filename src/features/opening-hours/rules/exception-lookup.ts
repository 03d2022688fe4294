// Finds the opening exceptions of each unit. An exception of the unit replaces one of the location on the same day.

import type { Tables } from '../../../database/tables.ts';
import { parseCivilDate } from '../../../lib/time/time-zone.ts';
import { formatIntervalsKey, parseDayIntervals, type DayIntervals } from './opening-intervals.ts';

export type ExceptionalHours = {
  /** Undefined: unknown. */
  readonly hours: DayIntervals | undefined;
  readonly text: string;
};

/** A stored exception; unit 0 stands for all units of the location. */
export type OpeningExceptionRow = Pick<Tables['opening_exceptions'], 'unit_id' | 'day' | 'intervals' | 'text'>;

/** By date, `YYYY-MM-DD`, in the order of dates. */
export type OpeningExceptions = ReadonlyMap<string, ExceptionalHours>;

type ExceptionLookup = {
  /** A key of the unit's own stored exceptions; empty without any. */
  ownKey(unitId: number): string;
  /** The exceptions that apply to the unit, and a key that is equal for equal exceptions. */
  ofUnit(unitId: number): { readonly exceptions: OpeningExceptions; readonly key: string };
};

/** Exceptions of the location are parsed once for all units. Invalid dates are ignored. */
export function createExceptionLookup(stored: readonly OpeningExceptionRow[]): ExceptionLookup {
  const days = new Set(stored.map(({ day }) => day));
  const realDays = new Set([...days].filter((day) => parseCivilDate(day) !== undefined));
  const rows = Map.groupBy(
    stored.filter(({ day }) => realDays.has(day)),
    ({ unit_id }) => unit_id,
  );
  const locationRows = rows.get(0) ?? [];
  const locationExceptions = mergeExceptions(locationRows);
  return {
    ownKey: (unitId) => rows.get(unitId)?.map(formatExceptionKey).toSorted().join('\n') ?? '',
    ofUnit: (unitId) => {
      const own = rows.get(unitId);
      return own === undefined ? locationExceptions : mergeExceptions([...locationRows, ...own]);
    },
  };
}

/** If a day has two rows, the later one counts. */
function mergeExceptions(rows: readonly OpeningExceptionRow[]): ReturnType<ExceptionLookup['ofUnit']> {
  const byDay = new Map(rows.map((row) => [row.day, row] as const));
  const sorted = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const exceptions = sorted.map(
    ([day, { intervals, text }]) => [day, { hours: parseDayIntervals(intervals), text }] as const,
  );
  const key = exceptions.map(([day, { hours, text }]) => JSON.stringify([day, formatIntervalsKey(hours), text])).join();
  return { exceptions: new Map(exceptions), key };
}

const formatExceptionKey = ({ day, intervals, text }: OpeningExceptionRow): string =>
  JSON.stringify([day, intervals, text]);
