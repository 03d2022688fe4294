// GetBankBookings: lists the bookings of a bank that start on the selected days and that the manager may see.

import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { listDeletedLocationIds } from '../../places/queries/deleted-locations.ts';
import { requireBank } from '../../places/require-place.ts';
import { hasIdentityExpired } from '../../residents/queries/identities.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { bookingCommandAccess } from '../access.ts';
import { readBookings } from '../read-bookings.ts';
import { parseBookingSelection, type BookingSelectionInput } from '../rules/booking-selection.ts';
import { toVisibleCriteria } from '../rules/visible-criteria.ts';
import type { Db } from '../../../database/db.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import { toPage } from '../../../lib/paging.ts';
import type { BookingCriteria } from '../rules/booking-criteria.ts';
import {
  slicePageFromGroups,
  filterByNames,
  groupUnitsByName,
  groupResidentsByName,
  type NameGroup,
  type NameReader,
} from '../rules/name-groups.ts';
import { listBookingIdsOfSlices, countBookingsByUnit, countBookingsByResident } from '../queries/bookings-by-name.ts';
import { listBookings, listBookingsByStart, type BookingRow } from '../queries/bookings.ts';

type GetBankBookingsInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly query: BookingSelectionInput & BookingsPageInput;
};

export function getBankBookings(context: ManagerContext, { bankKid, query }: GetBankBookingsInput) {
  const { scope, tenant, language, now, principal } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const selection = parseBookingSelection(query, { bank, tenant, now });
  return context.read(async (db) => {
    const [identityVisibility, deletedLocationIds, isExpiredResident] = await Promise.all([
      readIdentityVisibility(db, scope, now),
      listDeletedLocationIds(db, bank),
      selection.residentId === undefined ? false : hasIdentityExpired(db, bank, selection.residentId, now),
      requireBank(db, bank),
    ]);
    const criteria = toVisibleCriteria(selection, { bank, deletedLocationIds, isExpiredResident, identityVisibility });
    const page = await readBookingsPage(db, criteria, query, { language, now });
    const items = await readBookings(
      db,
      { bank, rows: page.items },
      { tenant, language, now, identityVisibility, canExecuteCommands: isAuthorized(bookingCommandAccess, principal) },
    );
    return { ...page, items };
  });
}

type BookingsPageInput = {
  readonly filter?: string;
  readonly sort: 'start' | 'unit' | 'user';
  readonly direction: SortDirection;
  readonly offset: number;
  readonly limit: number;
};

type BookingRowPage = ReturnType<typeof toPage<BookingRow>>;

async function readBookingsPage(
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
  const [units, residents] = await Promise.all([
    countBookingsByUnit(db, criteria),
    countBookingsByResident(db, criteria),
  ]);
  return { ...criteria, filters: [...criteria.filters, filterByNames(text, { units, residents }, reader)] };
}

async function readNameGroups(
  db: Db,
  criteria: BookingCriteria,
  { sort, direction }: BookingsPageInput,
  reader: NameReader,
): Promise<NameGroup[]> {
  return sort === 'unit'
    ? groupUnitsByName(await countBookingsByUnit(db, criteria), direction, reader)
    : groupResidentsByName(await countBookingsByResident(db, criteria), direction, reader);
}
