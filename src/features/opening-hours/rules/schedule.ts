// A unit's schedule: the hours of its week, and the days on which others hold. Units with the same schedule make a group.

import { openingSettings } from '../../units/catalogue/opening.ts';
import { layersOf, type Exceptions, type StoredException } from './exceptions.ts';
import { hoursKey, parseHours, type Hours } from './hours.ts';

export type Schedule = {
  /** From Monday to Sunday; undefined: not known. */
  readonly weekly: readonly (Hours | undefined)[];
  readonly exceptions: Exceptions;
};

export type Group = { readonly unitIds: readonly number[]; readonly schedule: Schedule };

/**
 * The units by schedule, the group of the lowest id first; each unit, in the order of ids, has the texts of its opening
 * settings by name. What is spelled alike is read once, however many units have it.
 */
export function groupBySchedule(
  units: ReadonlyMap<number, ReadonlyMap<string, string>>,
  stored: readonly StoredException[],
): Group[] {
  const layers = layersOf(stored);
  const spelled = [...units].map(([unitId, texts]) => ({ unitId, week: weekTexts(texts) }));
  const alike = Map.groupBy(spelled, ({ unitId, week }) => JSON.stringify([week, layers.ownKey(unitId)]));
  const read = [...alike.values()].map((members) => {
    const [{ unitId, week }] = members as [(typeof members)[number]];
    const weekly = week.map(weekdayHours);
    const { exceptions, key } = layers.of(unitId);
    const unitIds = members.map((member) => member.unitId);
    return { unitIds, schedule: { weekly, exceptions }, key: JSON.stringify([weekly.map(hoursKey), key]) };
  });
  return [...Map.groupBy(read, ({ key }) => key).values()].map((same) => ({
    unitIds: same.flatMap(({ unitIds }) => unitIds).toSorted((a, b) => a - b),
    schedule: same[0]!.schedule,
  }));
}

/** The days of the week that have the same hours, in the order of their first; days that are not known are left out. */
export function sameDays({ weekly }: Schedule): { days: number[]; hours: Hours }[] {
  const known = weekly.flatMap((hours, at) => (hours === undefined ? [] : [{ day: at + 1, hours }]));
  const groups = Map.groupBy(known, ({ hours }) => hoursKey(hours));
  return [...groups.values()].map((same) => ({ days: same.map(({ day }) => day), hours: same[0]!.hours }));
}

/** From Monday on; a text that is not there at all and one that says nothing are the same: nobody has told. */
const weekTexts = (texts: ReadonlyMap<string, string>): string[] =>
  openingSettings.map(({ name }) => texts.get(name) ?? '');

const weekdayHours = (text: string): Hours | undefined => (text === '' ? undefined : parseHours(text));
