// ExecuteBankBookingCommand: turns a booking, with its time, its money and what the devices have to learn, in one
// transaction. The guard rows of the bank's bookings and ledger are held first, so nobody else turns it meanwhile; whether
// its time is free is decided by the key of the slots, not by looking.

import type { WriteDb } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import { effectiveRetentionDays, identityCutoff } from '../account/rules/identity.ts';
import { holdOutbox, queueSync } from '../device-sync/queries.ts';
import { standingsOf } from './facts.ts';
import { moveMoney } from './movement.ts';
import { findMoneyMoved, turnBooking } from './queries/events.ts';
import { bumpHeads } from './queries/heads.ts';
import type { BookingRow } from './queries/shown.ts';
import { findRetentionDays } from './queries/view.ts';
import type { BookingCode } from './rules/codes.ts';
import { allowedCommands, codesAgainst, unfitFor, type Command, type Standing } from './rules/commands.ts';
import { codeText, itemOf, type BookingItem } from './schemas.ts';
import { demandBooking, demandEventId, type Asked } from './sight.ts';
import { moveTime } from './time.ts';

export function executeCommand(door: ManagerDoor, asked: Asked): Promise<BookingItem> {
  const { bankId, command } = asked;
  const { tenant } = door;
  const eventId = demandEventId(door.scope, asked);
  return door.writeGuarded(
    async (db) => {
      const outbox = holdOutbox(db, bankId);
      const [heads] = await Promise.all([bumpHeads(db, bankId, { bookings: 0, events: 1, postings: 0 }), outbox]);
      return heads;
    },
    async (db, scope, { nextEventId }) => {
      const row = await demandBooking(db, scope, { bankId, eventId });
      const now = door.now();
      const { managerId: editorId } = door.principal;
      const turned = await turn(db, row, { command, now, tenant, eventId: nextEventId, editorId });
      return answer(db, door, scope, turned, now);
    },
  );
}

type Turn = {
  readonly command: Command;
  readonly now: number;
  readonly tenant: Tenant;
  /** The id of the event that it makes. */
  readonly eventId: number;
  readonly editorId: number;
};

/** Answers the booking as it then is. */
async function turn(db: WriteDb, row: BookingRow, asked: Turn): Promise<BookingRow> {
  const { command, now, tenant } = asked;
  const [standings, moved] = await Promise.all([
    standingsOf(db, row.bank_id, [row], { now, tenant, slots: false }),
    findMoneyMoved(db, row),
  ]);
  const standing = standings.get(row.booking_id) as Standing;
  // Before the rules are looked at: a time that was taken is told of first.
  if (unfitFor(command, standing, now) === undefined) await moveTime(db, row, { command, now });
  const [code] = codesAgainst(command, standing, now);
  if (code !== undefined) throw refusal(code);
  return record(db, row, asked, await moveMoney(db, row, { command, moved, standing, now }));
}

/** Writes down the event, and queues it for the devices. */
async function record(
  db: WriteDb,
  row: BookingRow,
  { command, now, eventId, editorId }: Turn,
  postingId: number | null,
): Promise<BookingRow> {
  const { bank_id: bankId, booking_id, location_id: locationId, unit_id: unitId } = row;
  const state = command === 'Cancel' ? 'Cancelled' : 'Booked';
  const kind = command === 'Cancel' ? 'Cancelled' : 'Restored';
  const event = { bank_id: bankId, event_id: eventId, booking_id, kind, at: now, editor_id: editorId };
  const [isTurned] = await Promise.all([
    turnBooking(db, row, { ...event, posting_id: postingId }),
    queueSync(db, { bankId, subjectKind: 'booking', subjectId: eventId, locationId, unitId }, now),
  ]);
  if (!isTurned) throw new Problem('booking-conflict');
  return { ...row, state, event_id: eventId };
}

/** A code, as a command is refused for it. */
const refusal = (code: BookingCode): Problem =>
  code === 'ended'
    ? new Problem('booking-ended')
    : new Problem('booking-not-allowed', { reason: code, detail: codeText(code, 'en') });

async function answer(
  db: WriteDb,
  { language, tenant }: ManagerDoor,
  { retentionDays }: Scope,
  row: BookingRow,
  now: number,
): Promise<BookingItem> {
  const [days, standings] = await Promise.all([
    findRetentionDays(db),
    standingsOf(db, row.bank_id, [row], { now, tenant }),
  ]);
  const cutoff = identityCutoff(effectiveRetentionDays(days, retentionDays), now);
  const allowed = allowedCommands(standings.get(row.booking_id) as Standing, now);
  return itemOf(row, { tenant: tenant.name, language, now, cutoff }, allowed);
}
