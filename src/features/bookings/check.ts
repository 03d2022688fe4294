// CheckBankBookingCommand: the verdict that the command itself would act on, and nothing done.

import type { ManagerDoor } from '../../http/door.ts';
import { standingsOf } from './facts.ts';
import { verdictOn, type Standing } from './rules/commands.ts';
import { checkOf } from './schemas.ts';
import { demandBooking, demandEventId, type Asked } from './sight.ts';

export function checkCommand(door: ManagerDoor, asked: Asked) {
  const { scope, language, tenant } = door;
  const { bankId, command } = asked;
  const eventId = demandEventId(scope, asked);
  const now = door.now();
  return door.read(async (db) => {
    const row = await demandBooking(db, scope, { bankId, eventId });
    const standings = await standingsOf(db, bankId, [row], { now, tenant });
    return checkOf(verdictOn(command, standings.get(row.booking_id) as Standing, now), language);
  });
}
