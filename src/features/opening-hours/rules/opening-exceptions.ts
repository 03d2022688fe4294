// The days on which other hours hold: for a whole location, and for a unit in place of its location's.

import { parseCivilDate } from '../../../lib/time-zone.ts';
import { formatIntervalsKey, parseDayIntervals, type DayIntervals } from './opening-intervals.ts';

export type OpeningException = {
  /** Undefined: what the day has is not known. */
  readonly hours: DayIntervals | undefined;
  /** What the day is. */
  readonly text: string;
};

/** An exception as it is stored; unit 0 is every unit that has none of its own on that day. */
export type OpeningExceptionRow = {
  readonly unit_id: number;
  readonly day: string;
  readonly intervals: string;
  readonly text: string;
};

/** By civil date, `YYYY-MM-DD`, in its order. */
export type OpeningExceptions = ReadonlyMap<string, OpeningException>;

export type ExceptionLookup = {
  /** How a unit's own ones are spelled; empty where it has none. */
  ownKey(unitId: number): string;
  /** All that hold for a unit, and a key that is the same for those that come to the same. */
  ofUnit(unitId: number): { readonly exceptions: OpeningExceptions; readonly key: string };
};

/** Those of the location are read once for all of its units. Days that are in no calendar are left out. */
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

/** The later of two rows of a day holds. */
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
