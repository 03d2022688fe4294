// ExecuteBankBookingCommand: turns a booking, with its time, its money and what the devices have to learn, in one
// transaction. The guard rows of the bank's bookings and ledger are held first, so nobody else turns it meanwhile; whether
// its time is free is decided by the key of the slots, not by looking.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredBank, type GrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import { lockOutbox, queueSync } from '../../device-sync/queries/outbox.ts';
import { readCommandConditions } from '../command-conditions.ts';
import { appendCommandPosting } from '../command-posting.ts';
import { findPostedAmounts, appendBookingEvent } from '../queries/booking-events.ts';
import { reserveBookingIds } from '../queries/booking-ids.ts';
import type { BookingRow } from '../queries/bookings.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import type { RefusalCode } from '../rules/refusal-codes.ts';
import {
  listAllowedCommands,
  listRefusalCodes,
  findStateRefusal,
  type BookingCommand,
  type CommandConditions,
} from '../rules/commands.ts';
import { refusalText, toBookingItem, type BookingItem } from '../schemas.ts';
import { requireBooking, requireEventId, type BookingCommandInput } from '../require-booking.ts';
import { updateSlotsOfBooking } from '../queries/slots.ts';

export function executeBankBookingCommand(context: ManagerContext, input: BookingCommandInput): Promise<BookingItem> {
  const { bankId, command } = input;
  const { tenant } = context;
  return context.write({
    grant: (scope) => ({ scope, bank: requireCoveredBank(scope, { bankId }), eventId: requireEventId(scope, input) }),
    lock: async (db, { bank }) => {
      const outboxLock = lockOutbox(db, bank);
      const [reservedIds] = await Promise.all([
        reserveBookingIds(db, bankId, { bookings: 0, events: 1, postings: 0 }),
        outboxLock,
      ]);
      return reservedIds;
    },
    work: async (db, { scope, bank, eventId }, { nextEventId }) => {
      const row = await requireBooking(db, scope, { bankId, eventId });
      const now = context.now;
      const { managerId: editorId } = context.principal;
      const updatedRow = await applyCommand(db, row, { command, now, tenant, bank, eventId: nextEventId, editorId });
      return readBookingItem(db, context, scope, updatedRow, now);
    },
  });
}

type ApplyCommandInput = {
  readonly command: BookingCommand;
  readonly now: number;
  readonly tenant: Tenant;
  readonly bank: GrantedBank;
  /** The id of the event that it makes. */
  readonly eventId: number;
  readonly editorId: number;
};

/** Answers the booking as it then is. */
async function applyCommand(db: WriteDb, row: BookingRow, input: ApplyCommandInput): Promise<BookingRow> {
  const { command, now, tenant } = input;
  const [conditionsById, postedAmounts] = await Promise.all([
    readCommandConditions(db, row.bank_id, [row], { now, tenant, checkSlots: false }),
    findPostedAmounts(db, row),
  ]);
  const conditions = conditionsById.get(row.booking_id) as CommandConditions;
  // Before the rules are looked at: a time that was taken is told of first.
  if (findStateRefusal(command, conditions, now) === undefined) await updateSlotsOfBooking(db, row, { command, now });
  const [code] = listRefusalCodes(command, conditions, now);
  if (code !== undefined) throw createRefusalProblem(code);
  return recordCommandEvent(
    db,
    row,
    input,
    await appendCommandPosting(db, row, { command, moved: postedAmounts, standing: conditions, now }),
  );
}

/** Writes down the event, and queues it for the devices. */
async function recordCommandEvent(
  db: WriteDb,
  row: BookingRow,
  { command, now, bank, eventId, editorId }: ApplyCommandInput,
  postingId: number | null,
): Promise<BookingRow> {
  const { bank_id: bankId, booking_id, location_id: locationId, unit_id: unitId } = row;
  const state = command === 'Cancel' ? 'Cancelled' : 'Booked';
  const kind = command === 'Cancel' ? 'Cancelled' : 'Restored';
  const event = { bank_id: bankId, event_id: eventId, booking_id, kind, at: now, editor_id: editorId };
  const [isUpdated] = await Promise.all([
    appendBookingEvent(db, row, { ...event, posting_id: postingId }),
    queueSync(db, bank, { subjectKind: 'booking', subjectId: eventId, locationId, unitId }, now),
  ]);
  if (!isUpdated) throw new Problem('booking-conflict');
  return { ...row, state, event_id: eventId };
}

/** A code, as a command is refused for it. */
const createRefusalProblem = (code: RefusalCode): Problem =>
  code === 'ended'
    ? new Problem('booking-ended')
    : new Problem('booking-not-allowed', { reason: code, detail: refusalText(code, 'en') });

async function readBookingItem(
  db: WriteDb,
  { language, tenant }: ManagerContext,
  scope: Scope,
  row: BookingRow,
  now: number,
): Promise<BookingItem> {
  const [{ cutoff }, conditionsById] = await Promise.all([
    readIdentityVisibility(db, scope, now),
    readCommandConditions(db, row.bank_id, [row], { now, tenant }),
  ]);
  const allowedCommandNames = listAllowedCommands(conditionsById.get(row.booking_id) as CommandConditions, now);
  return toBookingItem(row, { tenant: tenant.name, language, now, identityCutoff: cutoff }, allowedCommandNames);
}
