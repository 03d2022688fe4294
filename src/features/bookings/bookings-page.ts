// One page of bookings, cut out in the database. Names are told in the reader's language, and of no identity that has
// expired, which no database knows: to search or sort by them, the names of the selection are read, each once and with its
// number of bookings, and then the page.

import type { Db } from '../../database/db.ts';
import type { SortDirection } from '../../http/list-schemas.ts';
import { toPage } from '../../lib/paging.ts';
import {
  slicePageFromGroups,
  filterByNames,
  groupUnitsByName,
  groupUsersByName,
  type NameGroup,
} from './rules/name-groups.ts';
import { listBookingIdsOfSlices, countBookingsByUnit, countBookingsByUser } from './queries/bookings-by-name.ts';
import type { BookingCriteria } from './queries/select-bookings.ts';
import { listBookings, listBookingsByStart, type BookingRow } from './queries/bookings.ts';
import type { BookingItemContext } from './schemas.ts';

export type BookingsPageInput = {
  readonly filter?: string;
  readonly sort: 'start' | 'unit' | 'user';
  readonly direction: SortDirection;
  readonly offset: number;
  readonly limit: number;
};

type BookingRowPage = ReturnType<typeof toPage<BookingRow>>;

export async function readBookingsPage(
  db: Db,
  criteria: BookingCriteria,
  query: BookingsPageInput,
  context: BookingItemContext,
): Promise<BookingRowPage> {
  const { filter = '' } = query;
  const filteredCriteria = filter === '' ? criteria : await addNameFilter(db, criteria, filter, context);
  if (query.sort === 'start') return toPage(await listBookingsByStart(db, filteredCriteria, query), query);
  const slices = slicePageFromGroups(await readNameGroups(db, filteredCriteria, query, context), query);
  return toPage(
    await listBookings(db, criteria.bankId, await listBookingIdsOfSlices(db, filteredCriteria, slices)),
    query,
  );
}

/** To what a filter finds by the names of all that is wanted. */
async function addNameFilter(
  db: Db,
  criteria: BookingCriteria,
  filter: string,
  context: BookingItemContext,
): Promise<BookingCriteria> {
  const [units, users] = await Promise.all([countBookingsByUnit(db, criteria), countBookingsByUser(db, criteria)]);
  return { ...criteria, filters: [filterByNames(filter, { units, users }, context)] };
}

async function readNameGroups(
  db: Db,
  criteria: BookingCriteria,
  { sort, direction }: BookingsPageInput,
  context: BookingItemContext,
): Promise<NameGroup[]> {
  return sort === 'unit'
    ? groupUnitsByName(await countBookingsByUnit(db, criteria), direction, context)
    : groupUsersByName(await countBookingsByUser(db, criteria), direction, context);
}
