// Selects the bookings of a resident that count towards the limits when a cancelled booking is restored, and looks up the
// booking policies of several units, each of which is parsed once.

import { guestId } from '../../../lib/kid.ts';
import { isBookableType } from '../../places/rules/unit-types.ts';
import { parseUnitPolicy, type BookingPolicy } from './policy.ts';
import {
  unitTypeCodeOf,
  formatUnitInBankKey,
  type OptionalUnitTypeColumns,
  type UnitInBankKey,
} from './unit-in-bank.ts';

/** A booking of a resident, with the type and the calendar of its unit. */
export type ResidentBookingRow = UnitInBankKey &
  OptionalUnitTypeColumns & {
    readonly booking_id: number;
    readonly user_id: number;
    readonly start_at: number;
    /** The stored value of the setting BookingCalendar. */
    readonly calendar: string | null;
  };

type LimitedBookingRow = UnitInBankKey & {
  readonly user_id: number;
  readonly start_at: number;
  readonly state: string;
};

// The longest month, and the days of a week that can precede it.
const maxLimitPeriodMs = 38 * 86_400_000;

/**
 * The residents whose bookings are counted, and the earliest start that counts: upcoming bookings count, and all that
 * start in the same day, week or month. The guest and the GDPR user stand for several people and have no limits.
 */
export function limitedResidents(
  rows: readonly LimitedBookingRow[],
  now: number,
): { residentIds: number[]; since: number } {
  const residentRows = rows.filter(({ user_id }) => user_id > guestId);
  const since = residentRows.reduce((earliest, { start_at }) => Math.min(earliest, start_at - maxLimitPeriodMs), now);
  return { residentIds: [...new Set(residentRows.map(({ user_id }) => user_id))], since };
}

/**
 * Returns a function that gives the starts of the bookings which count together with a cancelled one: those of the same
 * resident on units of the same calendar and location, or, without a calendar, on the same unit. It gives none if the
 * booking is not cancelled or its policy has no limits.
 */
export function createOtherStartsLookup(
  residentBookings: readonly ResidentBookingRow[],
): (row: LimitedBookingRow, policy: BookingPolicy) => readonly number[] {
  const startsByUnit = groupStartsBy(residentBookings, ({ unit_id }) => String(unit_id));
  const startsByCalendar = groupStartsBy(
    residentBookings.filter((row) => row.calendar !== null && isBookableType(unitTypeCodeOf(row))),
    ({ calendar }) => calendar ?? '',
  );
  return ({ user_id, location_id, unit_id, state }, policy) => {
    const { calendar } = policy;
    if (state !== 'Cancelled' || !hasBookingLimit(policy)) return [];
    const starts = calendar === null ? startsByUnit : startsByCalendar;
    return starts.get(`${user_id}/${location_id}/${calendar ?? unit_id}`) ?? [];
  };
}

const groupStartsBy = (
  rows: readonly ResidentBookingRow[],
  keyOf: (row: ResidentBookingRow) => string,
): ReadonlyMap<string, number[]> =>
  new Map(
    Map.groupBy(rows, (row) => `${row.user_id}/${row.location_id}/${keyOf(row)}`)
      .entries()
      .map(([key, group]) => [key, group.map(({ start_at }) => start_at)]),
  );

const hasBookingLimit = ({ maxOpen, maxPerDay, maxPerWeek, maxPerMonth }: BookingPolicy): boolean =>
  [maxOpen, maxPerDay, maxPerWeek, maxPerMonth].some((limit) => limit !== null);

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
