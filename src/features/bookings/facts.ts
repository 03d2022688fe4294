// Gathers what verdicts on bookings are made of: a bounded number of statements for a whole page of them.

import type { Db } from '../../database/dialect.ts';
import { guestUserId } from '../../lib/kid.ts';
import type { BookingRow } from './queries/bookings.ts';
import { listBooked, listPolicyValues, listTaken, type OtherRow, type UnitSettingRow } from './queries/facts.ts';
import type { Standing, StoredState } from './rules/commands.ts';
import { policyOf, type Policy } from './rules/policy.ts';

const unitKey = ({ location_id, unit_id }: { location_id: number; unit_id: number }): string =>
  `${location_id}/${unit_id}`;

/** How these bookings stand, by their ids. Without `slots` nobody has their time: the write that takes it will tell. */
export async function standingsOf(
  db: Db,
  bankId: number,
  rows: readonly BookingRow[],
  { now, slots = true }: { readonly now: number; readonly slots?: boolean },
): Promise<ReadonlyMap<number, Standing>> {
  // Of one that is over nothing else matters.
  const going = rows.filter(({ end_at }) => end_at > now);
  const representatives = new Map(going.map((row) => [unitKey(row), row.booking_id]));
  const cancelled = going.filter(({ state }) => state === 'Cancelled');
  const cancelledIds = cancelled.map(({ booking_id }) => booking_id);
  const [values, taken, booked] = await Promise.all([
    listPolicyValues(db, bankId, [...representatives.values()]),
    listTaken(db, bankId, slots ? cancelledIds : []),
    listBooked(db, bankId, residentsOf(cancelled)),
  ]);
  const policies = policiesOf(values);
  const standingOf = (row: BookingRow): Standing => {
    const policy = policies.get(unitKey(row)) ?? withoutSettings;
    return standing(row, policy, {
      taken: taken.has(row.booking_id),
      otherStarts: booked.filter((other) => countsWith(row, policy, other)).map(({ start_at }) => start_at),
    });
  };
  return new Map(rows.map((row) => [row.booking_id, standingOf(row)]));
}

const withoutSettings = policyOf(new Map());

function standing(row: BookingRow, policy: Policy, more: Pick<Standing, 'taken' | 'otherStarts'>): Standing {
  const { state, start_at: startAt, end_at: endAt, time_zone: timeZone } = row;
  return { state: state as StoredState, startAt, endAt, timeZone, unit: unitOf(row), policy, ...more };
}

function unitOf({ unit_name, unit_deleted_at, unit_enabled }: BookingRow): Standing['unit'] {
  if (unit_name === null || unit_deleted_at !== null) return 'deleted';
  return unit_enabled === 1 ? 'in-use' : 'disabled';
}

function policiesOf(values: readonly UnitSettingRow[]): ReadonlyMap<string, Policy> {
  const given = (settings: readonly UnitSettingRow[]): ReadonlyMap<string, string> =>
    new Map(settings.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])));
  return new Map(
    Map.groupBy(values, unitKey)
      .entries()
      .map(([key, settings]) => [key, policyOf(given(settings))]),
  );
}

// The longest month, and the days by which a week can begin before it.
const reachBackMs = 38 * 86_400_000;

/** Whose bookings are counted, and since when. Guests and the GDPR user are many people, for whom no limit is kept. */
function residentsOf(rows: readonly BookingRow[]): { userIds: number[]; since: number } {
  const theirs = rows.filter(({ user_id }) => user_id > guestUserId);
  const first = theirs.reduce((earliest, { start_at }) => Math.min(earliest, start_at), Number.POSITIVE_INFINITY);
  return { userIds: [...new Set(theirs.map(({ user_id }) => user_id))], since: first - reachBackMs };
}

/** Whether another booking counts with this one: the same resident's, on a unit of the location with the same calendar. */
function countsWith(row: BookingRow, { calendar }: Policy, other: OtherRow): boolean {
  if (other.booking_id === row.booking_id || other.user_id !== row.user_id) return false;
  if (other.location_id !== row.location_id) return false;
  return calendar === null ? other.unit_id === row.unit_id : other.calendar === calendar;
}
