// GetBankBooking: reads a booking by any of its events.

import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { bookingCommandAccess } from '../access.ts';
import { readBookings } from '../read-bookings.ts';
import { requireBookingOfEvent, requireCoveredEvent, type BookingInput } from '../require-booking.ts';
import type { Booking } from '../schemas.ts';

export function getBankBooking(context: ManagerContext, input: BookingInput): Promise<Booking> {
  const { scope, tenant, language, now, principal } = context;
  const event = requireCoveredEvent(scope, input);
  return context.read(async (db) => {
    const [{ bank, row }, identityVisibility] = await Promise.all([
      requireBookingOfEvent(db, event),
      readIdentityVisibility(db, scope, now),
    ]);
    const canExecuteCommands = isAuthorized(bookingCommandAccess, principal);
    const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands };
    const [item] = await readBookings(db, { bank, rows: [row] }, itemContext);
    return item!;
  });
}
