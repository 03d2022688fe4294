// The days on which other hours hold: for a whole location, and for a unit in place of its location's.

import { parseCivilDate } from '../../../lib/time-zone.ts';
import { hoursKey, parseHours, type Hours } from './hours.ts';

export type Exception = {
  /** Undefined: what the day has is not known. */
  readonly hours: Hours | undefined;
  /** What the day is. */
  readonly text: string;
};

/** An exception as it is stored; unit 0 is every unit that has none of its own on that day. */
export type StoredException = {
  readonly unit_id: number;
  readonly day: string;
  readonly intervals: string;
  readonly text: string;
};

/** By civil date, `YYYY-MM-DD`, in its order. */
export type Exceptions = ReadonlyMap<string, Exception>;

export type Layers = {
  /** How a unit's own ones are spelled; empty where it has none. */
  ownKey(unitId: number): string;
  /** All that hold for a unit, and a key that is the same for those that come to the same. */
  of(unitId: number): { readonly exceptions: Exceptions; readonly key: string };
};

/** Those of the location are read once for all of its units. Days that are in no calendar are left out. */
export function layersOf(stored: readonly StoredException[]): Layers {
  const days = new Set(stored.map(({ day }) => day));
  const realDays = new Set([...days].filter((day) => parseCivilDate(day) !== undefined));
  const rows = Map.groupBy(
    stored.filter(({ day }) => realDays.has(day)),
    ({ unit_id }) => unit_id,
  );
  const common = rows.get(0) ?? [];
  const forAll = layerOf(common);
  return {
    ownKey: (unitId) => rows.get(unitId)?.map(spelledKey).toSorted().join('\n') ?? '',
    of: (unitId) => {
      const own = rows.get(unitId);
      return own === undefined ? forAll : layerOf([...common, ...own]);
    },
  };
}

/** The later of two rows of a day holds. */
function layerOf(rows: readonly StoredException[]): ReturnType<Layers['of']> {
  const byDay = new Map(rows.map((row) => [row.day, row] as const));
  const sorted = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const exceptions = sorted.map(([day, { intervals, text }]) => [day, { hours: parseHours(intervals), text }] as const);
  const key = exceptions.map(([day, { hours, text }]) => JSON.stringify([day, hoursKey(hours), text])).join();
  return { exceptions: new Map(exceptions), key };
}

const spelledKey = ({ day, intervals, text }: StoredException): string => JSON.stringify([day, intervals, text]);
