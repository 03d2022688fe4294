// Reads one page of the bookings that match criteria, filtered and sorted by start or by the names that the list shows.
// Names depend on the reader's language and on hidden identities, so the database cannot sort by them: the distinct
// names are read first, and then the bookings of the page.

import type { Db } from '../../database/db.ts';
import type { SortDirection } from '../../http/list-schemas.ts';
import { toPage } from '../../lib/paging.ts';
import type { BookingCriteria } from './rules/booking-criteria.ts';
import {
  slicePageFromGroups,
  filterByNames,
  groupUnitsByName,
  groupUsersByName,
  type NameGroup,
  type NameReader,
} from './rules/name-groups.ts';
import { listBookingIdsOfSlices, countBookingsByUnit, countBookingsByUser } from './queries/bookings-by-name.ts';
import { listBookings, listBookingsByStart, type BookingRow } from './queries/bookings.ts';

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
  reader: NameReader,
): Promise<BookingRowPage> {
  const { filter = '' } = query;
  const filteredCriteria = filter === '' ? criteria : await addNameFilter(db, criteria, filter, reader);
  if (query.sort === 'start') return toPage(await listBookingsByStart(db, filteredCriteria, query), query);
  const slices = slicePageFromGroups(await readNameGroups(db, filteredCriteria, query, reader), query);
  const bookingIds = await listBookingIdsOfSlices(db, filteredCriteria, slices);
  return toPage(await listBookings(db, criteria.bank, bookingIds), query);
}

async function addNameFilter(
  db: Db,
  criteria: BookingCriteria,
  text: string,
  reader: NameReader,
): Promise<BookingCriteria> {
  const [units, users] = await Promise.all([countBookingsByUnit(db, criteria), countBookingsByUser(db, criteria)]);
  return { ...criteria, filters: [...criteria.filters, filterByNames(text, { units, users }, reader)] };
}

async function readNameGroups(
  db: Db,
  criteria: BookingCriteria,
  { sort, direction }: BookingsPageInput,
  reader: NameReader,
): Promise<NameGroup[]> {
  return sort === 'unit'
    ? groupUnitsByName(await countBookingsByUnit(db, criteria), direction, reader)
    : groupUsersByName(await countBookingsByUser(db, criteria), direction, reader);
}
