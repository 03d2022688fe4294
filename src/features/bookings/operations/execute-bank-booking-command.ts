// ExecuteBankBookingCommand: cancels or restores a booking, with its slots, its posting and the record for the devices,
// in one transaction. The lock rows of the bank come first, so that commands and charges of one bank run one after the
// other.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { Problem } from '../../../lib/problem.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { lockOutbox, queueSync } from '../../device-sync/queries/outbox.ts';
import { readIdentityVisibility } from '../../residents/queries/retention-setting.ts';
import { readBookingItems } from '../booking-items.ts';
import { readConditionsOfWrite } from '../command-conditions.ts';
import { appendCommandPosting } from '../command-posting.ts';
import { createRefusalProblem } from '../command-schemas.ts';
import { appendBookingEvent, findPostedAmounts } from '../queries/booking-events.ts';
import { reserveBookingIds } from '../queries/booking-ids.ts';
import type { GrantedBooking } from '../queries/bookings.ts';
import { updateSlotsOfBooking } from '../queries/slots.ts';
import { requireBooking, requireCoveredEvent, type BookingCommandInput } from '../require-booking.ts';
import { findStateRefusal, listRefusalCodes, type BookingCommand } from '../rules/commands.ts';
import type { BookingItem } from '../schemas.ts';

export function executeBankBookingCommand(context: ManagerContext, input: BookingCommandInput): Promise<BookingItem> {
  const { tenant, language, now } = context;
  const { command } = input;
  return context.write({
    grant: (scope) => ({ scope, event: requireCoveredEvent(scope, input) }),
    lock: (db, { event }) => lockBank(db, event.bank),
    work: async (db, { scope, event }, { nextEventId: eventId }) => {
      const [booking, identityVisibility] = await Promise.all([
        requireBooking(db, event),
        readIdentityVisibility(db, scope, now),
      ]);
      const { bank, row } = await applyCommand(db, context, booking, { command, eventId });
      // The operation was authorized for commands.
      const itemContext = { tenant, language, now, identityVisibility, canExecuteCommands: true };
      const [item] = await readBookingItems(db, { bank, rows: [row] }, itemContext);
      return item!;
    },
  });
}

/** Reserves the id of the event, too. */
async function lockBank(db: WriteDb, bank: GrantedBank) {
  const [, reservedIds] = await Promise.all([
    lockOutbox(db, bank),
    reserveBookingIds(db, bank, { bookings: 0, events: 1, postings: 0 }),
  ]);
  return reservedIds;
}

type CommandEvent = { readonly command: BookingCommand; readonly eventId: number };

/** Returns the booking as the command leaves it. */
async function applyCommand(
  db: WriteDb,
  context: ManagerContext,
  booking: GrantedBooking,
  { command, eventId }: CommandEvent,
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
  const postingId = await appendCommandPosting(db, booking, { command, now, policy, postedAmounts });
  return recordEvent(db, context, booking, { command, eventId, postingId });
}

/** Appends the event, and queues it for the devices. */
async function recordEvent(
  db: WriteDb,
  { now, principal }: ManagerContext,
  booking: GrantedBooking,
  { command, eventId, postingId }: CommandEvent & { readonly postingId: number | null },
): Promise<GrantedBooking> {
  const [kind, state] = command === 'Cancel' ? ['Cancelled', 'Cancelled'] : ['Restored', 'Booked'];
  const event = { event_id: eventId, kind, at: now, editor_id: principal.managerId, posting_id: postingId };
  const { locationId, unitId } = booking.unit;
  const [isUpdated] = await Promise.all([
    appendBookingEvent(db, booking, event),
    queueSync(db, booking.bank, { subjectKind: 'booking', subjectId: eventId, locationId, unitId }, now),
  ]);
  if (!isUpdated) throw new Problem('booking-conflict');
  return { ...booking, row: { ...booking.row, state, event_id: eventId } };
}
