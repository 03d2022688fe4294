// Cancels or restores a booking, with its slots, its posting and the record for the devices, in a transaction that has the
// locks of the outbox, the bookings and the ledger.

import type { WriteDb } from '../../database/db.ts';
import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import { StorageError } from '../../database/errors.ts';
import { formatBankKid, formatEventKid, formatPostingKid } from '../../lib/kid.ts';
import type { Tenant } from '../../tenants.ts';
import { reservePostingIds } from '../account/queries/ledger-head.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import { appendAudit } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { queueSync } from '../outbox/queries/outbox.ts';
import { createRefusalProblem } from './answers.ts';
import { appendBookingEvent, findPostedAmounts } from './queries/booking-events.ts';
import type { GrantedBooking } from './queries/bookings.ts';
import { updateSlotsOfBooking } from './queries/write-slots.ts';
import { readConditionsOfWrite } from './read-bookings.ts';
import { findStateRefusal, listRefusalCodes, type BookingCommand } from './rules/allowed-commands.ts';
import { draftCommandPosting, type CommandPostingInput } from './rules/command-posting.ts';

/** Who changes bookings, and of which tenant. */
type BookingEditor = { readonly actor: AuditContext; readonly tenant: Tenant };

type CommandEvent = { readonly command: BookingCommand; readonly eventId: number; readonly recordedAt: number };
type PostedCommandEvent = CommandEvent & { readonly postingId: number | null };

/** Returns the booking as the command leaves it. Throws where the rules refuse the command. */
export async function changeBooking(
  db: WriteDb,
  editor: BookingEditor,
  booking: GrantedBooking,
  { command, eventId, recordedAt }: CommandEvent,
): Promise<GrantedBooking> {
  const { actor, tenant } = editor;
  const { now } = actor;
  const [conditions, postedAmounts] = await Promise.all([
    readConditionsOfWrite(db, booking, { now, tenant }),
    findPostedAmounts(db, booking),
  ]);
  // The slots come before the other rules, since booking-overlap takes precedence over their refusals.
  if (findStateRefusal(command, conditions, now) === undefined)
    await orDuplicateProblem(db, 'booking-overlap', () => updateSlotsOfBooking(db, booking, { command, now }));
  const [code] = listRefusalCodes(command, conditions, now);
  if (code !== undefined) throw createRefusalProblem(code);
  const { policy } = conditions;
  const postingId = await appendCommandPosting(db, booking, { command, recordedAt, policy, postedAmounts });
  return recordEvent(db, actor, booking, { command, eventId, recordedAt, postingId });
}

/** Appends the event, queues it for the devices, and records the command. */
async function recordEvent(
  db: WriteDb,
  actor: AuditContext,
  booking: GrantedBooking,
  commandEvent: PostedCommandEvent,
): Promise<GrantedBooking> {
  const { command, eventId, recordedAt, postingId } = commandEvent;
  const { now } = actor;
  const [kind, state] = command === 'Cancel' ? ['Cancelled', 'Cancelled'] : ['Restored', 'Booked'];
  const event = { event_id: eventId, kind, at: recordedAt, editor_id: actor.id, posting_id: postingId };
  const { locationId, unitId } = booking.unit;
  const [isUpdated] = await Promise.all([
    appendBookingEvent(db, booking, event),
    queueSync(db, booking.bank, { subjectKind: 'booking', subjectId: eventId, locationId, unitId }, now),
    recordCommand(db, actor, booking, commandEvent),
  ]);
  // The locks keep other commands away, so somebody changed the booking without them. This transaction stores nothing;
  // it runs again and finds the change.
  if (!isUpdated) throw new StorageError('rolled-back');
  return { ...booking, row: { ...booking.row, state, event_id: eventId } };
}

/** The event of the command identifies the booking. */
function recordCommand(
  db: WriteDb,
  actor: AuditContext,
  { bank, row }: GrantedBooking,
  { command, eventId, postingId }: PostedCommandEvent,
): Promise<void> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const eventKid = formatEventKid(bankKid, eventId);
  return appendAudit(db, actor, {
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
