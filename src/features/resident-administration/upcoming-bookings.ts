// Reads the next bookings of a resident, as the list of bookings shows them.

import type { Db } from '../../database/db.ts';
import { isAuthorized } from '../../http/context/authorize.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { bookingCommandAccess, bookingsReadAccess } from '../bookings/access.ts';
import { readBookingItems } from '../bookings/booking-items.ts';
import { listBookingsByStart } from '../bookings/queries/bookings.ts';
import type { BookingItem } from '../bookings/schemas.ts';
import { toVisibleCriteria } from '../bookings/rules/visible-criteria.ts';
import { maxBookingLengthMs } from '../bookings/rules/slots.ts';
import { listDeletedLocationIds } from '../places/queries/deleted-locations.ts';
import { readIdentityVisibility } from '../residents/queries/retention-setting.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';

const maxBookings = 20;
const aheadMs = 367 * 24 * 3600 * 1000;

/** Empty for a manager who may not read bookings. */
export async function readUpcomingBookings(
  db: Db,
  { tenant, language, now, scope, principal }: ManagerContext,
  { bank, residentId }: { readonly bank: GrantedBank; readonly residentId: number },
): Promise<BookingItem[]> {
  if (!isAuthorized(bookingsReadAccess, principal)) return [];
  const [identityVisibility, deletedLocationIds] = await Promise.all([
    readIdentityVisibility(db, scope, now),
    listDeletedLocationIds(db, bank),
  ]);
  const selection = {
    from: now - maxBookingLengthMs,
    to: now + aheadMs,
    locationIds: bank.coverage === 'all' ? undefined : [...bank.coverage],
    unitId: undefined,
    userId: residentId,
    state: 'Booked' as const,
  };
  const visibility = { bank, deletedLocationIds, identityVisibility, isExpiredUser: false };
  const criteria = toVisibleCriteria(selection, visibility);
  const rows = await listBookingsByStart(db, criteria, { direction: 'asc', offset: 0, limit: maxBookings });
  const canExecuteCommands = isAuthorized(bookingCommandAccess, principal);
  const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands };
  return readBookingItems(db, { bank, rows: rows.slice(0, maxBookings) }, itemContext);
}
