// Groups units by their opening schedule: the hours of the week, and the exceptions.

import { openingSettingNames } from '../../units/catalogue/opening-settings.ts';
import { createExceptionLookup, type OpeningExceptions, type OpeningExceptionRow } from './exception-lookup.ts';
import { formatIntervalsKey, parseDayIntervals, type DayIntervals } from './opening-intervals.ts';

export type OpeningSchedule = {
  /** From Monday to Sunday; undefined: unknown. */
  readonly weekly: readonly (DayIntervals | undefined)[];
  readonly exceptions: OpeningExceptions;
};

export type ScheduleGroup = { readonly unitIds: readonly number[]; readonly schedule: OpeningSchedule };

/**
 * Groups the units by schedule, the group with the lowest id first. `units` holds, in the order of ids, the texts of the
 * opening settings by name. Equal texts are parsed once, however many units have them.
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

/** The days of the week with the same hours, in the order of the first day; unknown days are left out. */
export function groupDaysByHours({ weekly }: OpeningSchedule): { days: number[]; hours: DayIntervals }[] {
  const known = weekly.flatMap((hours, index) => (hours === undefined ? [] : [{ day: index + 1, hours }]));
  const groups = Map.groupBy(known, ({ hours }) => formatIntervalsKey(hours));
  return [...groups.values()].map((same) => ({ days: same.map(({ day }) => day), hours: same[0]!.hours }));
}

/** From Monday to Sunday; empty for a day without a text. */
const weekdayTexts = (texts: ReadonlyMap<string, string>): string[] =>
  openingSettingNames.map((name) => texts.get(name) ?? '');

const parseWeekday = (text: string): DayIntervals | undefined => (text === '' ? undefined : parseDayIntervals(text));
