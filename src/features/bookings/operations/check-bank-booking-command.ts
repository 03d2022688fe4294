// CheckBankBookingCommand: decides whether a command would be allowed, by the same rules as the command, and changes
// nothing.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { readConditionsOfBooking } from '../read-bookings.ts';
import { toBookingCommandCheck } from '../answers.ts';
import {
  requireBookingOfEvent,
  requireCoveredEvent,
  requireLatestEvent,
  type BookingCommandInput,
} from '../require-booking.ts';
import { decideCommand } from '../rules/allowed-commands.ts';

export function checkBankBookingCommand(context: ManagerContext, input: BookingCommandInput) {
  const event = requireCoveredEvent(context.scope, input);
  return context.read(async (db) => {
    const booking = await requireBookingOfEvent(db, event);
    requireLatestEvent(booking, event);
    const conditions = await readConditionsOfBooking(db, booking, context);
    return toBookingCommandCheck(decideCommand(input.command, conditions, context.now), context.language);
  });
}
