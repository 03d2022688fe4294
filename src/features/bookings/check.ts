// CheckBankBookingCommand: the verdict that the command itself would act on, and nothing done.

import type { ManagerContext } from '../../http/door.ts';
import { readCommandConditions } from './facts.ts';
import { decideCommand, type CommandConditions } from './rules/commands.ts';
import { toCommandCheck } from './schemas.ts';
import { requireBooking, requireEventId, type BookingCommandInput } from './sight.ts';

export function checkBankBookingCommand(context: ManagerContext, input: BookingCommandInput) {
  const { scope, language, tenant } = context;
  const { bankId, command } = input;
  const eventId = requireEventId(scope, input);
  const now = context.now();
  return context.read(async (db) => {
    const row = await requireBooking(db, scope, { bankId, eventId });
    const conditionsById = await readCommandConditions(db, bankId, [row], { now, tenant });
    return toCommandCheck(
      decideCommand(command, conditionsById.get(row.booking_id) as CommandConditions, now),
      language,
    );
  });
}
