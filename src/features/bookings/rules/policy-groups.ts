// Groups the bookable units of a location by their policies: units of a group have the same calendar and the same
// rules.

import { listInvalidSettings, parsePolicy, type BookingPolicy } from './policy.ts';

export type PolicyGroup = {
  readonly unitIds: readonly number[];
  readonly policy: BookingPolicy;
  /** The names of the settings whose stored values are invalid. */
  readonly invalid: readonly string[];
};

/**
 * `units`: stored values by unit and setting. The groups are sorted by calendar, none last, and by their lowest unit
 * id.
 */
export function groupByPolicy(units: ReadonlyMap<number, ReadonlyMap<string, string>>): PolicyGroup[] {
  const unitsWithPolicy = [...units]
    .toSorted(([a], [b]) => a - b)
    .map(([unitId, storedValues]) => ({
      unitId,
      policy: parsePolicy(storedValues),
      invalid: listInvalidSettings(storedValues),
    }))
    // If the value of Bookable itself is invalid, the unit is listed with that warning.
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
