// GetBankBookings: lists the bookings of a bank that start on the selected days and that the manager may see.

import type { Static } from 'typebox';
import type { BookingsQuery } from '../schemas.ts';
import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { listDeletedLocationIds } from '../../places/queries/locations.ts';
import { requireBank } from '../../places/require-place.ts';
import { hasIdentityExpired } from '../../residents/queries/identities.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { bookingCommandAccess } from '../access.ts';
import { readBookings } from '../read-bookings.ts';
import {
  parseBookingSelection,
  toVisibleCriteria,
  type BookingSelection,
  type BookingCriteria,
} from '../rules/booking-criteria.ts';
import type { Db } from '../../../database/db.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import { toPage, type PageRequest } from '../../../lib/values/paging.ts';
import {
  slicePageAfter,
  slicePageFromGroups,
  filterByNames,
  groupUnitsByName,
  groupResidentsByName,
  type NameGroup,
  type NameReader,
} from '../rules/name-groups.ts';
import { listBookingKeysOfSlices, countBookingsByUnit, countBookingsByResident } from '../queries/bookings-by-name.ts';
import { listBookings, listBookingsByStart } from '../queries/bookings.ts';

export async function getBankBookings(
  context: ManagerContext,
  { bankKid, query }: { readonly bankKid: KidOf<'bank'>; readonly query: Static<typeof BookingsQuery> },
) {
  const { scope, tenant, language, now, principal } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const request = await openPage<BookingPosition>(context, query);
  const days = parseBookingSelection(query, { bank, tenant, now });
  const [from = days.from, to = days.to] = request.after ?? [];
  const selection = { ...days, from, to };
  return context.read(async (db) => {
    const [identityVisibility, deletedLocationIds, isExpiredResident] = await Promise.all([
      readIdentityVisibility(db, scope, now),
      listDeletedLocationIds(db, bank),
      selection.residentId === undefined ? false : hasIdentityExpired(db, bank, selection.residentId, now),
      requireBank(db, bank),
    ]);
    const criteria = toVisibleCriteria(selection, { bank, deletedLocationIds, isExpiredResident, identityVisibility });
    const page = await readBookingsPage(db, criteria, { ...query, request, selection }, { language, now });
    const items = await readBookings(
      db,
      { bank, rows: page.items },
      { tenant, language, now, identityVisibility, canExecuteCommands: isAuthorized(bookingCommandAccess, principal) },
    );
    return { ...page, items };
  });
}

type BookingsOrder = Pick<Static<typeof BookingsQuery>, 'filter' | 'sort' | 'direction'>;

/** The interval of starts of the first page, the last booking of a page, and its name if names are sorted. */
type BookingPosition = readonly [from: number, to: number, startAt: number, bookingId: number, name: string | null];

type BookingsPageInput = BookingsOrder & {
  readonly request: PageRequest<BookingPosition>;
  readonly selection: Pick<BookingSelection, 'from' | 'to'>;
};

async function readBookingsPage(db: Db, criteria: BookingCriteria, input: BookingsPageInput, reader: NameReader) {
  const { filter = '', sort, direction, request, selection } = input;
  const filteredCriteria = filter === '' ? criteria : await addNameFilter(db, criteria, filter, reader);
  const { after, offset, limit } = request;
  if (sort === 'start') {
    const position = after && ([after[2], after[3]] as const);
    const rows = await listBookingsByStart(db, filteredCriteria, { direction, after: position, offset, limit });
    return toPage(rows, request, ({ start_at, booking_id }) => [
      selection.from,
      selection.to,
      start_at,
      booking_id,
      null,
    ]);
  }
  const keys = await listKeysByName(db, filteredCriteria, input, reader);
  const page = toPage(keys, request, ({ name, start_at, booking_id }) => [
    selection.from,
    selection.to,
    start_at,
    booking_id,
    name,
  ]);
  const bookingIds = page.items.map(({ booking_id }) => booking_id);
  return { ...page, items: await listBookings(db, criteria.bank, bookingIds) };
}

/** The keys of a page, and one more if there is one. */
async function listKeysByName(db: Db, criteria: BookingCriteria, input: BookingsPageInput, reader: NameReader) {
  const { after, ...range } = input.request;
  const groups = await readNameGroups(db, criteria, input, reader);
  const slices =
    after === undefined
      ? slicePageFromGroups(groups, range)
      : slicePageAfter(groups, [after[4] ?? '', after[2], after[3]], { ...input, ...range }, reader);
  return (await listBookingKeysOfSlices(db, criteria, slices)).slice(0, range.limit + 1);
}

async function addNameFilter(
  db: Db,
  criteria: BookingCriteria,
  text: string,
  reader: NameReader,
): Promise<BookingCriteria> {
  const [units, residents] = await Promise.all([
    countBookingsByUnit(db, criteria),
    countBookingsByResident(db, criteria),
  ]);
  return { ...criteria, filters: [...criteria.filters, filterByNames(text, { units, residents }, reader)] };
}

const readNameGroups = async (
  db: Db,
  criteria: BookingCriteria,
  { sort, direction }: BookingsOrder,
  reader: NameReader,
): Promise<NameGroup[]> =>
  sort === 'unit'
    ? groupUnitsByName(await countBookingsByUnit(db, criteria), direction, reader)
    : groupResidentsByName(await countBookingsByResident(db, criteria), direction, reader);
