// GetBankBookings: which bookings a manager asks for and may see, and what of them is told.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { listDeletedLocationIds } from '../../places/queries/deleted-locations.ts';
import { requireBank } from '../../places/queries/visible-places.ts';
import { readCommandConditions } from '../command-conditions.ts';
import { readBookingsPage, type BookingsPageInput } from '../bookings-page.ts';
import type { BookingCriteria } from '../queries/select-bookings.ts';
import type { BookingRow } from '../queries/bookings.ts';
import { hasIdentityExpired } from '../../residents/queries/identities.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { getSearchableFrom, type IdentityVisibility } from '../../residents/rules/identity.ts';
import { listAllowedCommands } from '../rules/commands.ts';
import { toBookingItem, type BookingItem, type BookingItemContext } from '../schemas.ts';
import {
  parseBookingSelection,
  type BookingsSelectionInput,
  type RequestedBookings,
} from '../rules/booking-selection.ts';

export type ListBookingsInput = BookingsSelectionInput & BookingsPageInput;

export function getBankBookings(context: ManagerContext, bankId: number, query: ListBookingsInput) {
  const { scope, tenant, language } = context;
  const now = context.now;
  const bank = requireCoveredBank(scope, { bankId });
  const selection = parseBookingSelection(query, { bankId, tenant, coverage: bank.coverage, now });
  return context.read(async (db) => {
    const [identityVisibility, deletedLocationIds, isExpiredResident] = await Promise.all([
      readIdentityVisibility(db, scope, now),
      listDeletedLocationIds(db, bank),
      selection.userId === undefined ? false : hasIdentityExpired(db, bank, selection.userId, now),
      requireBank(db, bank),
    ]);
    const { cutoff: identityCutoff } = identityVisibility;
    const itemContext: BookingItemContext = { tenant: scope.tenant, language, now, identityCutoff };
    const criteria = toVisibleCriteria(selection, {
      bankId,
      deletedLocationIds,
      isExpiredResident,
      identityVisibility,
    });
    const page = await readBookingsPage(db, criteria, query, itemContext);
    return { ...page, items: await readBookingItems(db, context, { bankId, rows: page.items, context: itemContext }) };
  });
}

type BookingVisibility = Pick<BookingCriteria, 'bankId'> & {
  readonly identityVisibility: IdentityVisibility;
  /** The locations that are deleted. */
  readonly deletedLocationIds: readonly number[];
  /** Whether the identity asked for has. */
  readonly isExpiredResident: boolean;
};

/** What can be seen of it: nobody is found by an identity that has expired, the one that stands for those least of all. */
function toVisibleCriteria(
  selection: RequestedBookings,
  { bankId, deletedLocationIds, isExpiredResident, identityVisibility }: BookingVisibility,
): BookingCriteria {
  const { userId, from, to } = selection;
  const { cutoff, now } = identityVisibility;
  const searchableFrom = userId === undefined ? from : getSearchableFrom(userId, identityVisibility, isExpiredResident);
  const visibleFrom = Math.max(from, Math.min(searchableFrom, to));
  return {
    ...selection,
    bankId,
    from: visibleFrom,
    identityCutoff: Math.min(Math.max(cutoff, visibleFrom), to),
    locationIds: selection.locationIds?.filter((id) => !deletedLocationIds.includes(id)),
    deletedLocationIds,
    filters: [],
    now,
  };
}

/** What may be done to them is asked for managers who may do it. */
async function readBookingItems(
  db: Db,
  { tenant, principal }: ManagerContext,
  { bankId, rows, context }: { bankId: number; rows: readonly BookingRow[]; context: BookingItemContext },
): Promise<BookingItem[]> {
  const { now } = context;
  const rowsWithCommands = principal.permissions.has('Unit.Write') ? rows : [];
  const conditionsById = await readCommandConditions(db, bankId, rowsWithCommands, { now, tenant });
  return rows.map((row) => {
    const standing = conditionsById.get(row.booking_id);
    return toBookingItem(row, context, standing === undefined ? [] : listAllowedCommands(standing, now));
  });
}
