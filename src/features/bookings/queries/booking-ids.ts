// The heads of a bank's bookings and of its ledger: the guard rows of whatever is done to a booking.

import type { WriteDb } from '../../../database/db.ts';
import { lockLedgerForWrite, lockLedger, type LedgerHead } from '../../account/queries/ledger-head.ts';

export type ReservedBookingIds = {
  /** The first of the ids reserved. */
  readonly nextBookingId: number;
  readonly nextEventId: number;
  /** Undefined where the bank has no ledger. */
  readonly ledger: LedgerHead | undefined;
};

export type ReservedCounts = { readonly bookings: number; readonly events: number; readonly postings: number };

/**
 * Reserves ids, as the first statements of a transaction; a bank's first booking makes its head. Both rows are held before
 * anything is read, so that all of it is read as it stands when the turn has come.
 */
export async function reserveBookingIds(
  db: WriteDb,
  bankId: number,
  { bookings, events, postings }: ReservedCounts,
): Promise<ReservedBookingIds> {
  // Asked for in the same turn; the engine runs them in this order.
  const headUpdate = db.dialect.upsertRows(db, 'booking_heads', [{ bank_id: bankId, bookings, events }], {
    key: ['bank_id'],
    sum: ['bookings', 'events'],
  });
  const ledgerLock = postings > 0 ? lockLedgerForWrite(db, bankId, postings) : lockLedger(db, bankId);
  const headRow = db.selectFrom('booking_heads').selectAll().where('bank_id', '=', bankId).executeTakeFirstOrThrow();
  const [, ledger, head] = await Promise.all([headUpdate, ledgerLock, headRow]);
  return { nextBookingId: head.bookings - bookings + 1, nextEventId: head.events - events + 1, ledger };
}
