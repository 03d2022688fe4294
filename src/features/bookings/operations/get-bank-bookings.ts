// GetBankBookings: lists the bookings of a bank that start on the selected days and that the manager may see.

import { isAuthorized } from '../../../http/context/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { listDeletedLocationIds } from '../../places/queries/deleted-locations.ts';
import { requireBank } from '../../places/queries/visible-places.ts';
import { hasIdentityExpired } from '../../residents/queries/identities.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { bookingCommandAccess } from '../access.ts';
import { readBookingItems } from '../booking-items.ts';
import { readBookingsPage, type BookingsPageInput } from '../bookings-page.ts';
import { parseBookingSelection, type BookingSelectionInput } from '../rules/booking-selection.ts';
import { toVisibleCriteria } from '../rules/visible-criteria.ts';

type GetBankBookingsInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly query: BookingSelectionInput & BookingsPageInput;
};

export function getBankBookings(context: ManagerContext, { bankKid, query }: GetBankBookingsInput) {
  const { scope, tenant, language, now, principal } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const selection = parseBookingSelection(query, { bank, tenant, now });
  return context.read(async (db) => {
    const [identityVisibility, deletedLocationIds, isExpiredUser] = await Promise.all([
      readIdentityVisibility(db, scope, now),
      listDeletedLocationIds(db, bank),
      selection.userId === undefined ? false : hasIdentityExpired(db, bank, selection.userId, now),
      requireBank(db, bank),
    ]);
    const criteria = toVisibleCriteria(selection, { bank, deletedLocationIds, isExpiredUser, identityVisibility });
    const page = await readBookingsPage(db, criteria, query, { language, now });
    const items = await readBookingItems(
      db,
      { bank, rows: page.items },
      { tenant, language, now, identityVisibility, canExecuteCommands: isAuthorized(bookingCommandAccess, principal) },
    );
    return { ...page, items };
  });
}
