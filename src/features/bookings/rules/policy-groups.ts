// Bookable units by calendar and complete policy: units that differ in one rule stand in different groups.

import { listInvalidSettings, parsePolicy, type BookingPolicy } from './policy.ts';

export type PolicyGroup = {
  readonly unitIds: readonly number[];
  readonly policy: BookingPolicy;
  /** Settings whose stored text is not what it may be. */
  readonly invalid: readonly string[];
};

/** Each unit has the settings that it was given by name. By calendar, those without one last, and then by lowest id. */
export function groupByPolicy(units: ReadonlyMap<number, ReadonlyMap<string, string>>): PolicyGroup[] {
  const unitsWithPolicy = [...units]
    .toSorted(([a], [b]) => a - b)
    .map(([unitId, storedValues]) => ({
      unitId,
      policy: parsePolicy(storedValues),
      invalid: listInvalidSettings(storedValues),
    }))
    // Where it cannot be read whether a unit is bookable, its rules are told with that warning.
    .filter(({ policy, invalid }) => policy.bookable || invalid.includes('Bookable'));
  const groups = [...Map.groupBy(unitsWithPolicy, formatGroupKey).values()].map((members) => ({
    unitIds: members.map(({ unitId }) => unitId),
    policy: members[0]!.policy,
    invalid: members[0]!.invalid,
  }));
  return groups.toSorted((a, b) => compareCalendars(a.policy, b.policy));
}

const formatGroupKey = ({ policy, invalid }: Pick<PolicyGroup, 'policy' | 'invalid'>): string =>
  JSON.stringify([policy, invalid], (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

function compareCalendars({ calendar: a }: BookingPolicy, { calendar: b }: BookingPolicy): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
