// The other bookings of residents, as far as limits count them.

import { guestUserId } from '../../../lib/kid.ts';
import { isBookableType, typeCodeOf } from '../../places/rules/unit-types.ts';
import type { ResidentBookingRow } from '../queries/command-conditions.ts';
import type { BookingRow } from '../queries/bookings.ts';
import type { BookingPolicy } from './policy.ts';

// The longest month, and the days by which a week can begin before it.
const maxLimitPeriodMs = 38 * 86_400_000;

/**
 * Whose bookings are counted, and since when: all that are ahead, and all of the spans of days that limits go by. Guests
 * and the GDPR user are many people, for whom no limit is kept.
 */
export function limitedResidents(rows: readonly BookingRow[], now: number): { userIds: number[]; since: number } {
  const residentRows = rows.filter(({ user_id }) => user_id > guestUserId);
  const since = residentRows.reduce((earliest, { start_at }) => Math.min(earliest, start_at - maxLimitPeriodMs), now);
  return { userIds: [...new Set(residentRows.map(({ user_id }) => user_id))], since };
}

/**
 * When the bookings start that count with one that is cancelled: the resident's, on units of the same calendar in the
 * location; without a calendar a unit counts alone. None where nothing is limited, or nothing to be booked again.
 */
export function createOtherStartsLookup(
  residentBookings: readonly ResidentBookingRow[],
): (row: BookingRow, policy: BookingPolicy) => readonly number[] {
  const groupStartsBy = (
    rows: readonly ResidentBookingRow[],
    keyOf: (row: ResidentBookingRow) => string,
  ): ReadonlyMap<string, number[]> =>
    new Map(
      Map.groupBy(rows, (row) => `${row.user_id}/${row.location_id}/${keyOf(row)}`)
        .entries()
        .map(([key, group]) => [key, group.map(({ start_at }) => start_at)]),
    );
  const startsByUnit = groupStartsBy(residentBookings, ({ unit_id }) => String(unit_id));
  const startsByCalendar = groupStartsBy(
    residentBookings.filter((row) => row.calendar !== null && isBookableType(unitTypeCodeOf(row))),
    ({ calendar }) => calendar ?? '',
  );
  return ({ user_id, location_id, unit_id, state }, policy) => {
    const { calendar } = policy;
    if (state !== 'Cancelled' || !hasBookingLimit(policy)) return [];
    return (
      (calendar === null ? startsByUnit : startsByCalendar).get(`${user_id}/${location_id}/${calendar ?? unit_id}`) ??
      []
    );
  };
}

/** A unit that is not there is of no type. */
export const unitTypeCodeOf = ({
  unit_type,
  packed_type,
}: Pick<ResidentBookingRow, 'unit_type' | 'packed_type'>): number | undefined =>
  typeCodeOf({ unit_type: unit_type ?? 0, packed_type });

const hasBookingLimit = ({ maxOpen, maxPerDay, maxPerWeek, maxPerMonth }: BookingPolicy): boolean =>
  [maxOpen, maxPerDay, maxPerWeek, maxPerMonth].some((most) => most !== null);
