// GetBankBooking: reads a booking by any of its events.

import { isAuthorized } from '../../../http/context/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { bookingCommandAccess } from '../access.ts';
import { readBookingItems } from '../booking-items.ts';
import { requireBookingOfEvent, requireCoveredEvent, type BookingInput } from '../require-booking.ts';
import type { BookingItem } from '../schemas.ts';

export function getBankBooking(context: ManagerContext, input: BookingInput): Promise<BookingItem> {
  const { scope, tenant, language, now, principal } = context;
  const event = requireCoveredEvent(scope, input);
  return context.read(async (db) => {
    const [{ bank, row }, identityVisibility] = await Promise.all([
      requireBookingOfEvent(db, event),
      readIdentityVisibility(db, scope, now),
    ]);
    const canExecuteCommands = isAuthorized(bookingCommandAccess, principal);
    const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands };
    const [item] = await readBookingItems(db, { bank, rows: [row] }, itemContext);
    return item!;
  });
}
