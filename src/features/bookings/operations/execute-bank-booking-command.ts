// ExecuteBankBookingCommand: cancels or restores a booking, with its slots, its posting and the record for the devices,
// in one transaction. The lock rows of the bank come first, so that commands and charges of one bank run one after the
// other.

import type { WriteDb } from '../../../database/db.ts';
import { StorageError } from '../../../database/errors.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatEventKid, formatPostingKid } from '../../../lib/kid.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerActor } from '../../audit/rules/audit-actor.ts';
import { lockOutbox, queueSync } from '../../device-sync/queries/outbox.ts';
import { decideRecordingTime } from '../../account/rules/recording-time.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { readBookingItems } from '../booking-items.ts';
import { readConditionsOfWrite } from '../command-conditions.ts';
import { appendCommandPosting } from '../command-posting.ts';
import { createRefusalProblem } from '../command-schemas.ts';
import { appendBookingEvent, findPostedAmounts } from '../queries/booking-events.ts';
import { reserveBookingIds } from '../queries/booking-ids.ts';
import type { GrantedBooking } from '../queries/bookings.ts';
import { updateSlotsOfBooking } from '../queries/slots.ts';
import {
  requireBookingOfEvent,
  requireCoveredEvent,
  requireLatestEvent,
  type BookingCommandInput,
} from '../require-booking.ts';
import { findStateRefusal, listRefusalCodes, type BookingCommand } from '../rules/commands.ts';
import type { BookingItem } from '../schemas.ts';

export function executeBankBookingCommand(
  context: ManagerContext,
  input: BookingCommandInput,
): Promise<WriteAnswer<BookingItem>> {
  const { tenant, language, now } = context;
  const { command } = input;
  return context.write({
    grant: (scope) => ({ scope, event: requireCoveredEvent(scope, input) }),
    lock: (db, { event }) => lockBank(db, event.bank, now),
    requireObject: async (db, { scope, event }) => {
      const [booking, identityVisibility] = await Promise.all([
        requireBookingOfEvent(db, event),
        readIdentityVisibility(db, scope, now),
      ]);
      return { booking, identityVisibility, event };
    },
    work: async (db, { booking, identityVisibility, event }, { nextEventId: eventId, ledger }) => {
      requireLatestEvent(booking, event);
      const recordedAt = ledger === undefined ? now : decideRecordingTime(ledger, context);
      const { bank, row } = await applyCommand(db, context, booking, { command, eventId, recordedAt });
      // The operation was authorized for commands.
      const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands: true };
      const [item] = await readBookingItems(db, { bank, rows: [row] }, itemContext);
      return item!;
    },
  });
}

/** Reserves the id of the event, too. */
async function lockBank(db: WriteDb, bank: GrantedBank, now: number) {
  const [, reservedIds] = await Promise.all([
    lockOutbox(db, bank),
    reserveBookingIds(db, bank, { bookings: 0, events: 1, postings: 0, now }),
  ]);
  return reservedIds;
}

type CommandEvent = { readonly command: BookingCommand; readonly eventId: number; readonly recordedAt: number };
type PostedCommandEvent = CommandEvent & { readonly postingId: number | null };

/** Returns the booking as the command leaves it. */
async function applyCommand(
  db: WriteDb,
  context: ManagerContext,
  booking: GrantedBooking,
  { command, eventId, recordedAt }: CommandEvent,
): Promise<GrantedBooking> {
  const { now } = context;
  const [conditions, postedAmounts] = await Promise.all([
    readConditionsOfWrite(db, booking, context),
    findPostedAmounts(db, booking),
  ]);
  // The slots come before the other rules, since booking-overlap takes precedence over their refusals.
  if (findStateRefusal(command, conditions, now) === undefined)
    await updateSlotsOfBooking(db, booking, { command, now });
  const [code] = listRefusalCodes(command, conditions, now);
  if (code !== undefined) throw createRefusalProblem(code);
  const { policy } = conditions;
  const postingId = await appendCommandPosting(db, booking, { command, recordedAt, policy, postedAmounts });
  return recordEvent(db, context, booking, { command, eventId, recordedAt, postingId });
}

/** Appends the event, queues it for the devices, and records the command. */
async function recordEvent(
  db: WriteDb,
  context: ManagerContext,
  booking: GrantedBooking,
  commandEvent: PostedCommandEvent,
): Promise<GrantedBooking> {
  const { command, eventId, recordedAt, postingId } = commandEvent;
  const { now, principal } = context;
  const [kind, state] = command === 'Cancel' ? ['Cancelled', 'Cancelled'] : ['Restored', 'Booked'];
  const event = { event_id: eventId, kind, at: recordedAt, editor_id: principal.managerId, posting_id: postingId };
  const { locationId, unitId } = booking.unit;
  const [isUpdated] = await Promise.all([
    appendBookingEvent(db, booking, event),
    queueSync(db, booking.bank, { subjectKind: 'booking', subjectId: eventId, locationId, unitId }, now),
    recordCommand(db, context, booking, commandEvent),
  ]);
  // The lock rows keep other commands away, so somebody changed the booking without them. This transaction stores nothing;
  // it runs again and finds the change.
  if (!isUpdated) throw new StorageError('rolled-back');
  return { ...booking, row: { ...booking.row, state, event_id: eventId } };
}

/** The booking is named by the event that the command was for. */
function recordCommand(
  db: WriteDb,
  context: ManagerContext,
  { bank, row }: GrantedBooking,
  { command, eventId, postingId }: PostedCommandEvent,
): Promise<void> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const eventKid = formatEventKid(bankKid, eventId);
  return appendAudit(db, createManagerActor(context), {
    object: formatEventKid(bankKid, row.event_id),
    bankId: bank.bankId,
    before: { state: row.state },
    after: { command, eventKid, transactionKid: postingId === null ? null : formatPostingKid(bankKid, postingId) },
  });
}
