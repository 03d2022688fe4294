// Gathers what verdicts on bookings are made of: a bounded number of statements for a whole page of them.

import type { Db } from '../../database/dialect.ts';
import { guestUserId } from '../../lib/kid.ts';
import type { Tenant } from '../../tenants.ts';
import { storedZone } from '../places/zones.ts';
import { otherStarts, residentsOf, typeOf } from './others.ts';
import { listBooked, listPolicyValues, listTaken, type UnitSettingRow } from './queries/facts.ts';
import type { UnitAt } from './queries/selected.ts';
import type { BookingRow } from './queries/shown.ts';
import type { Standing, StoredState } from './rules/commands.ts';
import { policyOfUnit, type Policy } from './rules/policy.ts';

type Context = {
  readonly now: number;
  readonly tenant: Tenant;
  /** Where they are not looked at nobody has the time of a booking: the write that takes it will tell. */
  readonly slots?: boolean;
};

/** How these bookings stand, by their ids. */
export async function standingsOf(
  db: Db,
  bankId: number,
  rows: readonly BookingRow[],
  { now, tenant, slots = true }: Context,
): Promise<ReadonlyMap<number, Standing>> {
  // Of one that is over nothing else matters.
  const going = rows.filter(({ end_at }) => end_at > now);
  const units = [...new Map(going.map((row) => [unitKey(row), row])).values()];
  const cancelled = going.filter(({ state }) => state === 'Cancelled');
  const [values, taken, booked] = await Promise.all([
    listPolicyValues(db, bankId, units),
    listTaken(db, slots ? cancelled : []),
    listBooked(db, bankId, residentsOf(cancelled, now)),
  ]);
  const policies = policiesOf(values, units);
  const startsBeside = otherStarts(booked);
  const standing = (row: BookingRow): Standing => {
    const policy = policies.get(unitKey(row)) ?? unbooked;
    return {
      ...standingAlone(row, now),
      policy,
      timeZone: storedZone(row.time_zone, tenant),
      taken: taken.has(row.booking_id),
      otherStarts: startsBeside(row, policy),
    };
  };
  return new Map(rows.map((row) => [row.booking_id, standing(row)]));
}

const unitKey = ({ location_id, unit_id }: UnitAt): string => `${location_id}/${unit_id}`;

const unbooked = policyOfUnit(undefined, new Map());

/** What the booking's own row tells. */
const standingAlone = (row: BookingRow, now: number) => ({
  state: row.state as StoredState,
  startAt: row.start_at,
  endAt: row.end_at,
  unit: unitOf(row),
  placeInUse: row.location_enabled === 1 && row.bank_enabled === 1,
  residentGone: isGone(row, now),
});

function unitOf({ unit_name, unit_deleted_at, unit_enabled }: BookingRow): Standing['unit'] {
  if (unit_name === null || unit_deleted_at !== null) return 'deleted';
  return unit_enabled === 1 ? 'in-use' : 'disabled';
}

/** Guests come and go; the GDPR user is somebody who has gone. */
function isGone(row: BookingRow, now: number): boolean {
  if (row.user_id === guestUserId) return false;
  const { resident_name, resident_deleted_at, resident_expired_at } = row;
  return resident_name === null || resident_deleted_at !== null || (resident_expired_at ?? Infinity) <= now;
}

/** One for each of the units; what is not there at all has none. */
function policiesOf(values: readonly UnitSettingRow[], units: readonly BookingRow[]): ReadonlyMap<string, Policy> {
  const settings = Map.groupBy(values, unitKey);
  const given = (key: string): ReadonlyMap<string, string> =>
    new Map((settings.get(key) ?? []).flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])));
  return new Map(units.map((row) => [unitKey(row), policyOfUnit(typeOf(row), given(unitKey(row)))]));
}
