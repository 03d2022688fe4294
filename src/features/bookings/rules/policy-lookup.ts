// Looks up the booking policies of several units, each of which is parsed once.

import { parseUnitPolicy, type BookingPolicy } from './policy.ts';
import {
  formatUnitInBankKey,
  unitTypeCodeOf,
  type OptionalUnitTypeColumns,
  type UnitInBankKey,
} from './unit-in-bank.ts';

/** A stored booking setting of a unit. */
export type PolicyValueRow = UnitInBankKey & { readonly name: string; readonly value: string | null };

/** Returns a function that gives the policy of a unit. A unit that is not among `units` cannot be booked. */
export function createPolicyLookup(
  units: readonly (UnitInBankKey & OptionalUnitTypeColumns)[],
  values: readonly PolicyValueRow[],
): (unit: UnitInBankKey) => BookingPolicy {
  const valuesByUnit = Map.groupBy(values, formatUnitInBankKey);
  const policies = new Map(
    units.map((unit) => {
      const key = formatUnitInBankKey(unit);
      return [key, parseUnitPolicy(unitTypeCodeOf(unit), toStoredValues(valuesByUnit.get(key) ?? []))];
    }),
  );
  const unbookablePolicy = parseUnitPolicy(undefined, new Map());
  return (unit) => policies.get(formatUnitInBankKey(unit)) ?? unbookablePolicy;
}

const toStoredValues = (rows: readonly PolicyValueRow[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])));
