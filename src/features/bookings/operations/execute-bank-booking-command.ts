// ExecuteBankBookingCommand: cancels or restores a booking, with its slots, its posting and the record for the devices,
// in one transaction. It locks the bookings of the bank, so that their commands and charges run one after the other.

import type { WriteDb } from '../../../database/db.ts';
import { orDuplicateProblem } from '../../../database/duplicate-problem.ts';
import { StorageError } from '../../../database/errors.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatEventKid, formatPostingKid } from '../../../lib/kid.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock, queueSync } from '../../device-sync/queries/outbox.ts';
import { appendPostings } from '../../account/queries/ledger.ts';
import { ledgerLock, reservePostingIds } from '../../account/queries/ledger-head.ts';
import { latestTimeOf } from '../../account/rules/latest-time.ts';
import { decideRecordingTime } from '../../../lib/recording-time.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { readBookings } from '../read-bookings.ts';
import { readConditionsOfWrite } from '../read-command-conditions.ts';
import { draftCommandPosting, type CommandPostingInput } from '../rules/command-posting.ts';
import { createRefusalProblem } from '../answers.ts';
import { appendBookingEvent, findPostedAmounts } from '../queries/booking-events.ts';
import { bookingsLock } from '../queries/booking-ids.ts';
import type { GrantedBooking } from '../queries/bookings.ts';
import { updateSlotsOfBooking } from '../queries/write-slots.ts';
import {
  requireBookingOfEvent,
  requireCoveredEvent,
  requireLatestEvent,
  type BookingCommandInput,
} from '../require-booking.ts';
import { findStateRefusal, listRefusalCodes, type BookingCommand } from '../rules/allowed-commands.ts';
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
      const { bank, row } = await applyCommand(db, context, booking, { command, eventId, recordedAt });
      // The operation was authorized for commands.
      const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands: true };
      const [item] = await readBookings(db, { bank, rows: [row] }, itemContext);
      return item!;
    },
  });
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
    await orDuplicateProblem(db, 'booking-overlap', () => updateSlotsOfBooking(db, booking, { command, now }));
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
  const event = { event_id: eventId, kind, at: recordedAt, editor_id: principal.id, posting_id: postingId };
  const { locationId, unitId } = booking.unit;
  const [isUpdated] = await Promise.all([
    appendBookingEvent(db, booking, event),
    queueSync(db, booking.bank, { subjectKind: 'booking', subjectId: eventId, locationId, unitId }, now),
    recordCommand(db, context, booking, commandEvent),
  ]);
  // The locks keep other commands away, so somebody changed the booking without them. This transaction stores nothing;
  // it runs again and finds the change.
  if (!isUpdated) throw new StorageError('rolled-back');
  return { ...booking, row: { ...booking.row, state, event_id: eventId } };
}

/** The event of the command identifies the booking. */
function recordCommand(
  db: WriteDb,
  context: ManagerContext,
  { bank, row }: GrantedBooking,
  { command, eventId, postingId }: PostedCommandEvent,
): Promise<void> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const eventKid = formatEventKid(bankKid, eventId);
  return appendAudit(db, createManagerAuditContext(context), {
    object: formatEventKid(bankKid, row.event_id),
    bankId: bank.bankId,
    before: { state: row.state },
    after: { command, eventKid, transactionKid: postingId === null ? null : formatPostingKid(bankKid, postingId) },
  });
}

/** Posts the refund of a cancellation, or takes it back. Returns the id of the posting, or null if nothing is posted. */
async function appendCommandPosting(
  db: WriteDb,
  { bank, row }: GrantedBooking,
  input: CommandPostingInput,
): Promise<number | null> {
  const draft = draftCommandPosting(row, input);
  if (draft === undefined) return null;
  const ledgerHead = await reservePostingIds(db, bank, { reservedCount: 1, now: input.recordedAt });
  if (ledgerHead === undefined) throw new Error(`bank ${bank.bankId} has postings but no ledger`);
  await appendPostings(db, ledgerHead, [draft]);
  return ledgerHead.nextPostingId;
}
