// Gathers what verdicts on bookings are made of: a bounded number of statements for a whole page of them.

import type { Db } from '../../database/db.ts';
import { isResidentGone } from '../residents/rules/resident-visibility.ts';
import type { Tenant } from '../../tenants.ts';
import { createTimeZoneResolver } from '../places/rules/location-time-zone.ts';
import { createOtherStartsLookup, limitedResidents, unitTypeCodeOf } from './rules/other-starts.ts';
import {
  listResidentBookings,
  listPolicyValues,
  listTakenBookingIds,
  type PolicyValueRow,
} from './queries/command-conditions.ts';
import type { UnitInBankKey } from './queries/select-bookings.ts';
import type { BookingRow } from './queries/bookings.ts';
import type { CommandConditions, StoredState } from './rules/commands.ts';
import { parseUnitPolicy, type BookingPolicy } from './rules/policy.ts';

type CommandConditionsContext = {
  readonly now: number;
  readonly tenant: Tenant;
  /** Where they are not looked at nobody has the time of a booking: the write that takes it will tell. */
  readonly checkSlots?: boolean;
};

/** How these bookings stand, by their ids. */
export async function readCommandConditions(
  db: Db,
  bankId: number,
  rows: readonly BookingRow[],
  { now, tenant, checkSlots = true }: CommandConditionsContext,
): Promise<ReadonlyMap<number, CommandConditions>> {
  // Of one that is over nothing else matters.
  const notEnded = rows.filter(({ end_at }) => end_at > now);
  const units = [...new Map(notEnded.map((row) => [formatUnitKey(row), row])).values()];
  const cancelled = notEnded.filter(({ state }) => state === 'Cancelled');
  const [policyValues, takenBookingIds, residentBookings] = await Promise.all([
    listPolicyValues(db, bankId, units),
    listTakenBookingIds(db, checkSlots ? cancelled : []),
    listResidentBookings(db, bankId, limitedResidents(cancelled, now)),
  ]);
  const policies = policiesByUnit(policyValues, units);
  const listOtherStarts = createOtherStartsLookup(residentBookings);
  const resolveTimeZone = createTimeZoneResolver(tenant);
  const toConditions = (row: BookingRow): CommandConditions => {
    const policy = policies.get(formatUnitKey(row)) ?? unbookablePolicy;
    return {
      ...conditionsFromRow(row, now),
      policy,
      timeZone: resolveTimeZone(row.time_zone),
      isTimeTaken: takenBookingIds.has(row.booking_id),
      otherStarts: listOtherStarts(row, policy),
    };
  };
  return new Map(rows.map((row) => [row.booking_id, toConditions(row)]));
}

const formatUnitKey = ({ location_id, unit_id }: UnitInBankKey): string => `${location_id}/${unit_id}`;

const unbookablePolicy = parseUnitPolicy(undefined, new Map());

/** What the booking's own row tells. */
const conditionsFromRow = (row: BookingRow, now: number) => ({
  state: row.state as StoredState,
  startAt: row.start_at,
  endAt: row.end_at,
  unitState: unitStateOf(row),
  isPlaceEnabled: row.location_enabled === 1 && row.bank_enabled === 1,
  isResidentGone: isResidentGone(row, now),
});

function unitStateOf({ unit_name, unit_deleted_at, unit_enabled }: BookingRow): CommandConditions['unitState'] {
  if (unit_name === null || unit_deleted_at !== null) return 'deleted';
  return unit_enabled === 1 ? 'in-use' : 'disabled';
}

/** One for each of the units; what is not there at all has none. */
function policiesByUnit(
  values: readonly PolicyValueRow[],
  units: readonly BookingRow[],
): ReadonlyMap<string, BookingPolicy> {
  const settings = Map.groupBy(values, formatUnitKey);
  const storedValuesOf = (key: string): ReadonlyMap<string, string> =>
    new Map((settings.get(key) ?? []).flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])));
  return new Map(
    units.map((row) => [formatUnitKey(row), parseUnitPolicy(unitTypeCodeOf(row), storedValuesOf(formatUnitKey(row)))]),
  );
}
