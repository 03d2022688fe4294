// A unit's schedule: the hours of its week, and the days on which others hold. Units with the same schedule make a group.

import { parseCivilDate } from '../../../lib/time-zone.ts';
import { openingSettings } from '../../units/catalogue/opening.ts';
import { clockText, parseHours, type Hours } from './hours.ts';

export type Exception = {
  /** Undefined: what the day has is not known. */
  readonly hours: Hours | undefined;
  /** What the day is. */
  readonly text: string;
};

export type Schedule = {
  /** From Monday to Sunday; undefined: not known. */
  readonly weekly: readonly (Hours | undefined)[];
  /** By civil date, `YYYY-MM-DD`, in its order. */
  readonly exceptions: ReadonlyMap<string, Exception>;
};

export type Group = { readonly unitIds: readonly number[]; readonly schedule: Schedule };

/** An exception as it is stored; unit 0 is every unit that has none of its own on that day. */
export type StoredException = {
  readonly unit_id: number;
  readonly day: string;
  readonly intervals: string;
  readonly text: string;
};

/** The units by schedule, the group of the lowest id first; each unit has the texts of its opening settings by name. */
export function groupBySchedule(
  units: ReadonlyMap<number, ReadonlyMap<string, string>>,
  stored: readonly StoredException[],
): Group[] {
  const days = Map.groupBy(stored.filter(isRealDay), ({ unit_id }) => unit_id);
  const schedules = [...units].map(([unitId, texts]) => ({
    unitId,
    schedule: { weekly: weeklyOf(texts), exceptions: exceptionsOf(days.get(0), days.get(unitId)) },
  }));
  const groups = Map.groupBy(schedules, ({ schedule }) => keyOf(schedule));
  return [...groups.values()].map((members) => ({
    unitIds: members.map(({ unitId }) => unitId),
    schedule: members[0]!.schedule,
  }));
}

/** The days of the week that have the same hours, in the order of their first; days that are not known are left out. */
export function sameDays({ weekly }: Schedule): { days: number[]; hours: Hours }[] {
  const known = weekly.flatMap((hours, at) => (hours === undefined ? [] : [{ day: at + 1, hours }]));
  const groups = Map.groupBy(known, ({ hours }) => hoursKey(hours));
  return [...groups.values()].map((same) => ({ days: same.map(({ day }) => day), hours: same[0]!.hours }));
}

function weeklyOf(texts: ReadonlyMap<string, string>): Schedule['weekly'] {
  return openingSettings.map(({ name }) => {
    const text = texts.get(name);
    // A text that is not there at all and one that says nothing are the same: nobody has told.
    return text === undefined || text === '' ? undefined : parseHours(text);
  });
}

function exceptionsOf(...layers: readonly (readonly StoredException[] | undefined)[]): Schedule['exceptions'] {
  const byDay = new Map(layers.flatMap((rows = []) => rows.map((row) => [row.day, row] as const)));
  const sorted = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([day, { intervals, text }]) => [day, { hours: parseHours(intervals), text }]));
}

const isRealDay = ({ day }: StoredException): boolean => parseCivilDate(day) !== undefined;

const hoursKey = (hours: Hours | undefined): string =>
  hours?.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join() ?? '?';

const keyOf = ({ weekly, exceptions }: Schedule): string =>
  JSON.stringify([weekly.map(hoursKey), [...exceptions].map(([day, { hours, text }]) => [day, hoursKey(hours), text])]);
