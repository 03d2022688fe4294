// Reads bookings with the names and states of their bank, location, unit and resident. Deleted units keep their names.

import { sql, type InferResult, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { unionAll } from '../../../database/statements/union-all.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedBank, GrantedUnit } from '../../../permissions/coverage.ts';
import { matchesNoBooking, type BookingCriteria } from '../rules/booking-criteria.ts';
import { selectBookings, usesLocationIndex } from './select-bookings.ts';

export type BookingRow = InferResult<ReturnType<typeof joinDisplayColumns>>[number];

/** Bookings of one bank. */
export type BankBookings = { readonly bank: GrantedBank; readonly rows: readonly BookingRow[] };

/** A booking whose location the grants cover. `requireBookingOfEvent` makes it. */
export type GrantedBooking = { readonly bank: GrantedBank; readonly unit: GrantedUnit; readonly row: BookingRow };

/** The last booking of a page. */
type StartPosition = readonly [startAt: number, bookingId: number];

type StartPage = PageSlice<StartPosition> & { readonly direction: SortDirection };

/** One page in the order of starts, with one row more than its limit if there is one. */
export async function listBookingsByStart(
  db: Db,
  allCriteria: BookingCriteria,
  { direction, after, offset, limit }: StartPage,
): Promise<BookingRow[]> {
  const criteria = after === undefined ? allCriteria : cutAfter(allCriteria, direction, after);
  if (matchesNoBooking(criteria)) return [];
  const selectOrdered = (part: BookingCriteria) =>
    selectBookings(db, part, direction)
      .selectAll()
      .$if(after !== undefined, (query) => query.where(isListedAfter(direction, after!)))
      .orderBy('start_at', direction)
      .orderBy('booking_id', direction);
  const { locationIds = [] } = criteria;
  // Only in a derived table does a part of a union keep its limit, on both engines.
  const firstRowsOfLocations = locationIds.map((id) => {
    const firstRows = selectOrdered({ ...criteria, locationIds: [id] }).limit(offset + limit + 1);
    return db.selectFrom(firstRows.as('part')).selectAll();
  });
  // The index of locations sorts each location separately, so their first rows are merged.
  const page =
    firstRowsOfLocations.length > 1 && usesLocationIndex(criteria)
      ? db
          .selectFrom(unionAll(firstRowsOfLocations).as('bookings'))
          .selectAll()
          .orderBy('start_at', direction)
          .orderBy('booking_id', direction)
      : selectOrdered(criteria);
  return joinDisplayColumns(db, page.limit(limit + 1).offset(offset))
    .orderBy('b.start_at', direction)
    .orderBy('b.booking_id', direction)
    .execute();
}

/** The interval of starts after a position, for the index. */
const cutAfter = (criteria: BookingCriteria, direction: SortDirection, [startAt]: StartPosition): BookingCriteria =>
  direction === 'asc'
    ? { ...criteria, from: Math.max(criteria.from, startAt) }
    : { ...criteria, to: Math.min(criteria.to, startAt + 1) };

/** Selects the bookings of the interval that are listed after a position. */
const isListedAfter = (direction: SortDirection, [startAt, bookingId]: StartPosition) =>
  sql<SqlBool>`(start_at <> ${startAt} or booking_id ${direction === 'asc' ? sql`>` : sql`<`} ${bookingId})`;

/** The bookings with these ids, in the order given. */
export async function listBookings(db: Db, bank: GrantedBank, bookingIds: readonly number[]): Promise<BookingRow[]> {
  if (bookingIds.length === 0) return [];
  const rows = await joinDisplayColumns(
    db,
    selectBookingsOfBank(db, bank).where('booking_id', 'in', bookingIds),
  ).execute();
  const byId = new Map(rows.map((row) => [row.booking_id, row]));
  return bookingIds.flatMap((id) => byId.get(id) ?? []);
}

/**
 * The booking to which an event belongs, its latest or an earlier one; undefined if its bank or location is deleted.
 * The grants may not cover its location.
 */
export function findBookingByEvent(db: Db, bank: GrantedBank, eventId: number): Promise<BookingRow | undefined> {
  const booking = selectBookingsOfBank(db, bank).where('booking_id', '=', ({ selectFrom }) =>
    selectFrom('booking_events as e')
      .select('e.booking_id')
      .where('e.bank_id', '=', bank.bankId)
      .where('e.event_id', '=', eventId),
  );
  return joinDisplayColumns(db, booking)
    .where('k.deleted_at', 'is', null)
    .where('l.deleted_at', 'is', null)
    .executeTakeFirst();
}

const selectBookingsOfBank = (db: Db, { bankId }: GrantedBank) =>
  db.selectFrom('bookings').selectAll().where('bank_id', '=', bankId);

const joinDisplayColumns = (db: Db, bookings: ReturnType<typeof selectBookingsOfBank>) =>
  db
    .selectFrom(bookings.as('b'))
    .innerJoin('banks as k', 'k.bank_id', 'b.bank_id')
    .innerJoin('locations as l', onEqual('l', 'b', 'bank_id', 'location_id'))
    .leftJoin('units as u', onEqual('u', 'b', 'bank_id', 'location_id', 'unit_id'))
    .leftJoin('residents as r', onEqual('r', 'b', 'bank_id', ['resident_id', 'user_id']))
    .selectAll('b')
    .select(['k.enabled as bank_enabled'])
    .select(['l.name as location_name', 'l.enabled as location_enabled', 'l.time_zone'])
    .select(['u.name as unit_name', 'u.unit_type', 'u.packed_type'])
    .select(['u.enabled as unit_enabled', 'u.deleted_at as unit_deleted_at'])
    .select(['r.name as resident_name', 'r.expired_at as resident_expired_at', 'r.deleted_at as resident_deleted_at'])
    // The event that created the booking.
    .select(selectFirstEventId(db).as('first_event_id'));

/** Events are numbered in the order in which they happen, so that the index of a booking's events begins with the first. */
const selectFirstEventId = (db: Db) =>
  db
    .selectFrom('booking_events as first')
    .select('first.event_id')
    .where('first.bank_id', '=', sql.ref<number>('b.bank_id'))
    .where('first.booking_id', '=', sql.ref<number>('b.booking_id'))
    .orderBy('first.event_id')
    .limit(1)
    .$asScalar()
    .$notNull();
