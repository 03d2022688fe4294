// ExecuteBankBookingCommand: turns a booking, with its time, its money and what the devices have to learn, in one
// transaction. The guard rows of the bank's bookings and ledger are held first, so nobody else turns it meanwhile; whether
// its time is free is decided by the key of the slots, not by looking.

import type { WriteDb } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import { effectiveRetentionDays, identityCutoff } from '../account/rules/identity.ts';
import { queueSync } from '../device-sync/queries.ts';
import { standingsOf } from './facts.ts';
import type { BookingRow } from './queries/bookings.ts';
import { clearOldSlots, findMoneyMoved, freeSlots, takeSlots, turnBooking } from './queries/events.ts';
import { bumpHeads, type Heads } from './queries/heads.ts';
import { moveMoney } from './movement.ts';
import { findRetentionDays } from './queries/view.ts';
import type { BookingCode } from './rules/codes.ts';
import { allowedCommands, codesAgainst, unfitFor, type Command, type Standing } from './rules/commands.ts';
import { codeText, itemOf, type BookingItem } from './schemas.ts';
import { demandBooking, demandEventId, type Asked } from './sight.ts';

export function executeCommand(door: ManagerDoor, asked: Asked): Promise<BookingItem> {
  const { bankId, command } = asked;
  const eventId = demandEventId(door.scope, asked);
  return door.writeGuarded(
    (db) => bumpHeads(db, bankId, { bookings: 0, events: 1, postings: 0 }),
    async (db, scope, heads) => {
      const row = await demandBooking(db, scope, { bankId, eventId });
      if (heads === undefined) throw new Error(`bank ${bankId} has bookings, and no head of them`);
      const now = door.now();
      const turned = await turn(db, row, { command, heads, now, editorId: door.principal.managerId });
      return answer(db, door, scope, turned, now);
    },
  );
}

type Turn = {
  readonly command: Command;
  readonly heads: Heads;
  readonly now: number;
  readonly editorId: number;
};

/** Answers the booking as it then is. */
async function turn(db: WriteDb, row: BookingRow, { command, heads, now, editorId }: Turn): Promise<BookingRow> {
  const [standings, moved] = await Promise.all([
    standingsOf(db, row.bank_id, [row], { now, slots: false }),
    findMoneyMoved(db, row),
  ]);
  const standing = standings.get(row.booking_id) as Standing;
  await clearOldSlots(db, row, now);
  // Before the rules are looked at: a time that was taken is told of first.
  if (command === 'Restore' && unfitFor(command, standing, now) === undefined) await take(db, row);
  const [code] = codesAgainst(command, standing, now);
  if (code !== undefined) throw refusal(code);
  if (command === 'Cancel') await freeSlots(db, row);

  const { bank_id, booking_id, location_id: locationId, unit_id: unitId } = row;
  const eventId = heads.nextEventId;
  const kind = command === 'Cancel' ? 'Cancelled' : 'Restored';
  const posting_id = await moveMoney(db, row, { command, moved, standing, now });
  const event = { bank_id, event_id: eventId, booking_id, kind, at: now, editor_id: editorId, posting_id };
  const [isTurned] = await Promise.all([
    turnBooking(db, row, event),
    queueSync(db, { bankId: bank_id, subjectKind: 'booking', subjectId: eventId, locationId, unitId }, now),
  ]);
  if (!isTurned) throw new Problem('booking-conflict');
  return { ...row, state: command === 'Cancel' ? 'Cancelled' : 'Booked', event_id: eventId };
}

async function take(db: WriteDb, row: BookingRow): Promise<void> {
  try {
    await takeSlots(db, row);
  } catch (error) {
    throw db.words.classify(error) === 'duplicate' ? refusal('overlap', error) : error;
  }
}

/** A code, as a command is refused for it. */
function refusal(code: BookingCode, cause?: unknown): Problem {
  if (code === 'ended') return new Problem('booking-ended');
  if (code === 'overlap') return new Problem('booking-overlap', { cause });
  return new Problem('booking-not-allowed', { reason: code, detail: codeText(code, 'en') });
}

async function answer(
  db: WriteDb,
  { language, tenant }: ManagerDoor,
  { retentionDays }: Scope,
  row: BookingRow,
  now: number,
): Promise<BookingItem> {
  const [days, standings] = await Promise.all([findRetentionDays(db), standingsOf(db, row.bank_id, [row], { now })]);
  const cutoff = identityCutoff(effectiveRetentionDays(days, retentionDays), now);
  const allowed = allowedCommands(standings.get(row.booking_id) as Standing, now);
  return itemOf(row, { tenant: tenant.name, language, now, cutoff }, allowed);
}
