// Bookings as they are shown: with the names of their unit, location and resident. A page is cut out of the bookings
// alone, by the index of its selection, before any name is looked up. Units that are deleted stay named, as postings of
// the past name them.

import { sql, type Expression, type SqlBool } from 'kysely';
import { beyondIndex } from '../../../database/beyond-index.ts';
import type { Db } from '../../../database/dialect.ts';
import type { Tables } from '../../../database/tables.ts';
import type { ShownState } from '../rules/commands.ts';

export type Names = {
  readonly location_name: string;
  readonly unit_name: string | null;
  readonly resident_name: string | null;
  readonly resident_expired_at: number | null;
};

export type BookingRow = Tables['bookings'] &
  Names & {
    readonly time_zone: string;
    readonly unit_enabled: number | null;
    readonly unit_deleted_at: number | null;
  };

export type NamedRow = Names &
  Pick<Tables['bookings'], 'booking_id' | 'location_id' | 'unit_id' | 'user_id' | 'start_at'>;

export type Direction = 'asc' | 'desc';

export type Wanted = {
  readonly bankId: number;
  /** The first instant of a start, and the first that is too late. */
  readonly from: number;
  readonly to: number;
  /** Undefined is every location but those that are hidden. */
  readonly locationIds: readonly number[] | undefined;
  readonly hiddenLocationIds: readonly number[];
  readonly unitId: number | undefined;
  readonly userId: number | undefined;
  readonly state: ShownState | 'all';
  readonly now: number;
};

const isEmpty = ({ locationIds, from, to }: Wanted): boolean => locationIds?.length === 0 || from >= to;

/** One page by start, and one row more where there is one. */
export async function listByStart(
  db: Db,
  wanted: Wanted,
  { direction, offset, limit }: { direction: Direction; offset: number; limit: number },
): Promise<BookingRow[]> {
  if (isEmpty(wanted)) return [];
  const page = selected(db, wanted, direction)
    .orderBy('start_at', direction)
    .orderBy('booking_id', direction)
    .limit(limit + 1)
    .offset(offset);
  return shown(db, page).orderBy('b.start_at', direction).orderBy('b.booking_id', direction).execute();
}

/** The whole selection, as narrow as searching and sorting by names allows. */
export async function listNames(db: Db, wanted: Wanted): Promise<NamedRow[]> {
  if (isEmpty(wanted)) return [];
  return named(db, selected(db, wanted))
    .select(['b.booking_id', 'b.location_id', 'b.unit_id', 'b.user_id', 'b.start_at'])
    .execute();
}

/** These bookings, in the order given. */
export async function listBookings(db: Db, bankId: number, bookingIds: readonly number[]): Promise<BookingRow[]> {
  if (bookingIds.length === 0) return [];
  const rows = await shown(db, ofBank(db, bankId).where('booking_id', 'in', bookingIds)).execute();
  const byId = new Map(rows.map((row) => [row.booking_id, row]));
  return bookingIds.flatMap((id) => byId.get(id) ?? []);
}

/**
 * The booking that an event, the present one or an earlier, belongs to; undefined where its bank or its location is
 * deleted.
 */
export function findByEvent(db: Db, bankId: number, eventId: number): Promise<BookingRow | undefined> {
  const booking = ofBank(db, bankId).where('booking_id', '=', ({ selectFrom }) =>
    selectFrom('booking_events as e')
      .select('e.booking_id')
      .where('e.bank_id', '=', bankId)
      .where('e.event_id', '=', eventId),
  );
  return shown(db, booking)
    .innerJoin('banks as k', 'k.bank_id', 'b.bank_id')
    .where('k.deleted_at', 'is', null)
    .where('l.deleted_at', 'is', null)
    .executeTakeFirst();
}

const ofBank = (db: Db, bankId: number) => db.selectFrom('bookings').selectAll().where('bank_id', '=', bankId);

function selected(db: Db, wanted: Wanted, direction: Direction = 'asc') {
  const { bankId, locationIds, hiddenLocationIds, unitId, userId, state, now } = wanted;
  let query = ofBank(db, bankId)
    .where(startAt(wanted, direction === 'asc'), '>=', wanted.from)
    .where(startAt(wanted, direction === 'desc'), '<', wanted.to)
    .where(db.words.stoppable(sql.ref('booking_id')));
  if (locationIds !== undefined) query = query.where(within(locationIds));
  else if (hiddenLocationIds.length > 0) query = query.where(beyondIndex('location_id'), 'not in', hiddenLocationIds);
  if (unitId !== undefined) query = query.where('unit_id', '=', unitId);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (state !== 'all') query = query.where('state', '=', state === 'Cancelled' ? 'Cancelled' : 'Booked');
  if (state === 'Booked') query = query.where('end_at', '>', now);
  if (state === 'Completed') query = query.where('end_at', '<=', now);
  return query;
}

/** A location's, a unit's and a resident's own index is gone through from one bound of time on; the other is no help. */
const startAt = ({ locationIds, userId }: Wanted, isFirst: boolean) =>
  isFirst || (userId === undefined && locationIds?.length !== 1)
    ? sql.ref<number>('start_at')
    : beyondIndex('start_at');

/** One location has an index of its own; through several the bank's bookings are gone in their order. */
function within(locationIds: readonly number[]): Expression<SqlBool> {
  const [only] = locationIds;
  if (locationIds.length === 1) return sql<SqlBool>`location_id = ${only}`;
  return sql<SqlBool>`${beyondIndex('location_id')} in (${sql.join(locationIds)})`;
}

type Found = ReturnType<typeof ofBank>;

function named(db: Db, found: Found) {
  return db
    .selectFrom(found.as('b'))
    .innerJoin('locations as l', (join) =>
      join.onRef('l.bank_id', '=', 'b.bank_id').onRef('l.location_id', '=', 'b.location_id'),
    )
    .leftJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 'b.bank_id')
        .onRef('u.location_id', '=', 'b.location_id')
        .onRef('u.unit_id', '=', 'b.unit_id'),
    )
    .leftJoin('residents as r', (join) =>
      join.onRef('r.bank_id', '=', 'b.bank_id').onRef('r.resident_id', '=', 'b.user_id'),
    )
    .select([
      'l.name as location_name',
      'u.name as unit_name',
      'r.name as resident_name',
      'r.expired_at as resident_expired_at',
    ]);
}

const shown = (db: Db, found: Found) =>
  named(db, found)
    .selectAll('b')
    .select(['l.time_zone', 'u.enabled as unit_enabled', 'u.deleted_at as unit_deleted_at']);
