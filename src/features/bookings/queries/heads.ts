// The heads of a bank's bookings and of its ledger: the guard rows of whatever is done to a booking.

import type { WriteDb } from '../../../database/dialect.ts';
import { bumpLedger, type LedgerHead } from '../../account/ledger-head.ts';

export type Heads = {
  /** The first of the ids reserved. */
  readonly nextBookingId: number;
  readonly nextEventId: number;
  /** Undefined where the bank has no ledger. */
  readonly ledger: LedgerHead | undefined;
};

type Reserved = { readonly bookings: number; readonly events: number; readonly postings: number };

/** Opens a bank for bookings. */
export async function openBookings(db: WriteDb, bankId: number): Promise<void> {
  await db.insertInto('booking_heads').values({ bank_id: bankId, next_booking_id: 1, next_event_id: 1 }).execute();
}

/**
 * Reserves ids, as the first statements of a transaction; undefined where the bank was never opened for bookings. Both
 * rows are held before anything is read, so that all of it is read as it stands when the turn has come.
 */
export async function bumpHeads(
  db: WriteDb,
  bankId: number,
  { bookings, events, postings }: Reserved,
): Promise<Heads | undefined> {
  // Asked for in the same turn; the engine runs them in this order.
  const bumped = db
    .updateTable('booking_heads')
    .set((eb) => ({
      next_booking_id: eb('next_booking_id', '+', bookings),
      next_event_id: eb('next_event_id', '+', events),
    }))
    .where('bank_id', '=', bankId)
    .execute();
  const held = bumpLedger(db, bankId, postings);
  const found = db.selectFrom('booking_heads').selectAll().where('bank_id', '=', bankId).executeTakeFirst();
  const [, ledger, head] = await Promise.all([bumped, held, found]);
  if (head === undefined) return undefined;
  return { nextBookingId: head.next_booking_id - bookings, nextEventId: head.next_event_id - events, ledger };
}
