// CheckBankBookingCommand: the verdict that the command itself would act on, and nothing done.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { readCommandConditions } from '../command-conditions.ts';
import { decideCommand, type CommandConditions } from '../rules/commands.ts';
import { toCommandCheck } from '../schemas.ts';
import { requireBooking, requireEventId, type BookingCommandInput } from '../require-booking.ts';

export function checkBankBookingCommand(context: ManagerContext, input: BookingCommandInput) {
  const { scope, language, tenant } = context;
  const { bankId, command } = input;
  const eventId = requireEventId(scope, input);
  const now = context.now;
  return context.read(async (db) => {
    const row = await requireBooking(db, scope, { bankId, eventId });
    const conditionsById = await readCommandConditions(db, bankId, [row], { now, tenant });
    return toCommandCheck(
      decideCommand(command, conditionsById.get(row.booking_id) as CommandConditions, now),
      language,
    );
  });
}
