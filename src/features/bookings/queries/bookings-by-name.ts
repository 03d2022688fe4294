// Counts the bookings of a selection by unit and by user, and lists the ids of the bookings in slices of name groups.

import { sql, type SqlBool } from 'kysely';
import { withoutIndex } from '../../../database/statements/without-index.ts';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { matchesNoBooking, type BookingCriteria, type BookingFilter } from '../rules/booking-criteria.ts';
import type { BookingsByUnitRow, BookingsByResidentRow, NameGroupSlice } from '../rules/name-groups.ts';
import { selectBookings } from './select-bookings.ts';

/** Includes deleted units. A unit that does not exist has no name. */
export async function countBookingsByUnit(db: Db, criteria: BookingCriteria): Promise<BookingsByUnitRow[]> {
  if (matchesNoBooking(criteria)) return [];
  // Grouping by the index of units would read every booking of the bank.
  const counted = selectBookings(db, criteria)
    .select(({ fn }) => [
      withoutIndex('location_id').as('location_id'),
      withoutIndex('unit_id').as('unit_id'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy([withoutIndex('location_id'), withoutIndex('unit_id')]);
  return db
    .selectFrom(counted.as('c'))
    .innerJoin('locations as l', 'l.location_id', 'c.location_id')
    .leftJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 'l.bank_id')
        .onRef('u.location_id', '=', 'c.location_id')
        .onRef('u.unit_id', '=', 'c.unit_id'),
    )
    .select(['c.location_id', 'c.unit_id', 'c.count', 'l.name as location_name', 'u.name as unit_name'])
    .where('l.bank_id', '=', criteria.bank.bankId)
    .execute();
}

export async function countBookingsByResident(db: Db, criteria: BookingCriteria): Promise<BookingsByResidentRow[]> {
  if (matchesNoBooking(criteria)) return [];
  const counted = selectBookings(db, criteria)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<number | null>`case when start_at >= ${criteria.identityCutoff} then user_id end`.as('shown_id'))
    .groupBy('shown_id');
  return db
    .selectFrom(counted.as('c'))
    .leftJoin('residents as r', (join) =>
      join.onRef('r.resident_id', '=', 'c.shown_id').on('r.bank_id', '=', criteria.bank.bankId),
    )
    .select(['c.shown_id as user_id', 'c.count', 'r.name as resident_name', 'r.expired_at as resident_expired_at'])
    .execute();
}

type BookingKeyRow = Pick<Tables['bookings'], 'booking_id' | 'location_id' | 'unit_id' | 'user_id' | 'start_at'>;

type ListedBookingKey = Pick<BookingKeyRow, 'booking_id' | 'start_at'> & {
  /** One of the names of its group. */
  readonly name: string;
};

/**
 * The keys of the bookings in the slices, in order. One statement reads all slices that are whole groups; they have no
 * more bookings than the page.
 */
export async function listBookingKeysOfSlices(
  db: Db,
  criteria: BookingCriteria,
  slices: readonly NameGroupSlice[],
): Promise<ListedBookingKey[]> {
  const wholeGroups = slices.filter(isWholeGroup);
  const partialGroups = slices.filter((slice) => !isWholeGroup(slice));
  const [wholeGroupRows, ...partialGroupRows] = await Promise.all([
    listWholeGroups(db, criteria, wholeGroups),
    ...partialGroups.map((slice) => listPartialGroup(db, criteria, slice)),
  ]);
  const rowsBySlice = Map.groupBy(wholeGroupRows, (row) =>
    wholeGroups.find(({ group }) => matchesFilter(group, row, criteria)),
  );
  for (const [index, slice] of partialGroups.entries()) rowsBySlice.set(slice, partialGroupRows[index] ?? []);
  return slices.flatMap((slice) =>
    (rowsBySlice.get(slice) ?? []).map(({ booking_id, start_at }) => ({
      booking_id,
      start_at,
      name: slice.group.name,
    })),
  );
}

const isWholeGroup = ({ group, take, after }: NameGroupSlice): boolean => take === group.count && after === undefined;

async function listWholeGroups(
  db: Db,
  criteria: BookingCriteria,
  slices: readonly NameGroupSlice[],
): Promise<BookingKeyRow[]> {
  if (slices.length === 0) return [];
  return selectFilteredByStart(db, criteria, {
    units: slices.flatMap(({ group }) => group.units),
    residentIds: slices.flatMap(({ group }) => group.residentIds),
    includesAnonymous: slices.some(({ group }) => group.includesAnonymous),
  }).execute();
}

const listPartialGroup = (
  db: Db,
  criteria: BookingCriteria,
  { group, skip, take, after }: NameGroupSlice,
): Promise<BookingKeyRow[]> =>
  selectFilteredByStart(db, criteria, group)
    .$if(after !== undefined, (query) => query.where(isListedAfter(after!)))
    .limit(take)
    .offset(skip)
    .execute();

const isListedAfter = ([startAt, bookingId]: readonly [startAt: number, bookingId: number]) =>
  sql<SqlBool>`start_at >= ${startAt} and (start_at > ${startAt} or booking_id > ${bookingId})`;

const selectFilteredByStart = (db: Db, criteria: BookingCriteria, filter: BookingFilter) =>
  selectBookings(db, { ...criteria, filters: [...criteria.filters, filter] })
    .select(['booking_id', 'location_id', 'unit_id', 'user_id', 'start_at'])
    .orderBy('start_at')
    .orderBy('booking_id');

/** Decides for a row what the SQL decides: whether the filter selects it. */
function matchesFilter(
  { units, residentIds, includesAnonymous }: BookingFilter,
  row: BookingKeyRow,
  { identityCutoff }: BookingCriteria,
): boolean {
  if (units.some((unit) => unit.location_id === row.location_id && unit.unit_id === row.unit_id)) return true;
  return row.start_at < identityCutoff ? includesAnonymous : residentIds.includes(row.user_id);
}
