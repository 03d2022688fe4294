// A unit's schedule: the hours of its week, and the days on which others hold. Units with the same schedule make a group.

import { openingSettings } from '../../units/catalogue/opening-settings.ts';
import { createExceptionLookup, type OpeningExceptions, type OpeningExceptionRow } from './opening-exceptions.ts';
import { formatIntervalsKey, parseDayIntervals, type DayIntervals } from './opening-intervals.ts';

export type OpeningSchedule = {
  /** From Monday to Sunday; undefined: not known. */
  readonly weekly: readonly (DayIntervals | undefined)[];
  readonly exceptions: OpeningExceptions;
};

export type ScheduleGroup = { readonly unitIds: readonly number[]; readonly schedule: OpeningSchedule };

/**
 * The units by schedule, the group of the lowest id first; each unit, in the order of ids, has the texts of its opening
 * settings by name. What is spelled alike is read once, however many units have it.
 */
export function groupBySchedule(
  units: ReadonlyMap<number, ReadonlyMap<string, string>>,
  stored: readonly OpeningExceptionRow[],
): ScheduleGroup[] {
  const exceptionLookup = createExceptionLookup(stored);
  const unitsWithTexts = [...units].map(([unitId, texts]) => ({ unitId, week: weekdayTexts(texts) }));
  const unitsBySameText = Map.groupBy(unitsWithTexts, ({ unitId, week }) =>
    JSON.stringify([week, exceptionLookup.ownKey(unitId)]),
  );
  const parsedGroups = [...unitsBySameText.values()].map((members) => {
    const [{ unitId, week }] = members as [(typeof members)[number]];
    const weekly = week.map(parseWeekday);
    const { exceptions, key } = exceptionLookup.ofUnit(unitId);
    const unitIds = members.map((member) => member.unitId);
    return { unitIds, schedule: { weekly, exceptions }, key: JSON.stringify([weekly.map(formatIntervalsKey), key]) };
  });
  return [...Map.groupBy(parsedGroups, ({ key }) => key).values()].map((same) => ({
    unitIds: same.flatMap(({ unitIds }) => unitIds).toSorted((a, b) => a - b),
    schedule: same[0]!.schedule,
  }));
}

/** The days of the week that have the same hours, in the order of their first; days that are not known are left out. */
export function groupDaysByHours({ weekly }: OpeningSchedule): { days: number[]; hours: DayIntervals }[] {
  const known = weekly.flatMap((hours, at) => (hours === undefined ? [] : [{ day: at + 1, hours }]));
  const groups = Map.groupBy(known, ({ hours }) => formatIntervalsKey(hours));
  return [...groups.values()].map((same) => ({ days: same.map(({ day }) => day), hours: same[0]!.hours }));
}

/** From Monday on; a text that is not there at all and one that says nothing are the same: nobody has told. */
const weekdayTexts = (texts: ReadonlyMap<string, string>): string[] =>
  openingSettings.map(({ name }) => texts.get(name) ?? '');

const parseWeekday = (text: string): DayIntervals | undefined => (text === '' ? undefined : parseDayIntervals(text));
