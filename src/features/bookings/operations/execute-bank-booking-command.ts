// ExecuteBankBookingCommand: cancels or restores a booking, with its slots, its posting and the record for the devices,
// in one transaction. It locks the bookings of the bank, so that their commands and charges run one after the other.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { latestTimeOf } from '../../account/rules/posting-draft.ts';
import { decideRecordingTime } from '../../../lib/time/recording-time.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { changeBooking } from '../change-booking.ts';
import { readBookings } from '../read-bookings.ts';
import { bookingsLock } from '../queries/booking-ids.ts';
import {
  requireBookingOfEvent,
  requireCoveredEvent,
  requireLatestEvent,
  type BookingCommandInput,
} from '../require-booking.ts';
import type { Booking } from '../schemas.ts';

export function executeBankBookingCommand(
  context: ManagerContext,
  input: BookingCommandInput,
): Promise<WriteAnswer<Booking>> {
  const { tenant, language, now } = context;
  const { command } = input;
  return context.write({
    grant: (scope) => ({ scope, event: requireCoveredEvent(scope, input) }),
    locks: ({ event: { bank } }) => [
      outboxLock(bank),
      bookingsLock(bank, { bookings: 0, events: 1 }),
      ledgerLock(bank, { reservedCount: 0, now }),
    ],
    requireObject: async (db, { scope, event }) => {
      const [booking, identityVisibility] = await Promise.all([
        requireBookingOfEvent(db, event),
        readIdentityVisibility(db, scope, now),
      ]);
      return { booking, identityVisibility, event };
    },
    work: async (db, { booking, identityVisibility, event }, [, { nextEventId: eventId }, ledger]) => {
      requireLatestEvent(booking, event);
      const recordedAt = ledger === undefined ? now : decideRecordingTime(latestTimeOf(ledger), context);
      const actor = createManagerAuditContext(context);
      const { bank, row } = await changeBooking(db, { actor, tenant }, booking, { command, eventId, recordedAt });
      // The operation was authorized for commands.
      const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands: true };
      const [item] = await readBookings(db, { bank, rows: [row] }, itemContext);
      return item!;
    },
  });
}
