// Reserves ids of bookings and events, and locks the rows that every write to a bank's bookings locks: the head of its
// bookings and the head of its ledger.

import type { WriteDb } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { lockLedgerForWrite, lockLedger, type LedgerHead } from '../../account/queries/ledger-head.ts';

export type ReservedBookingIds = {
  /** The first ids of those reserved. */
  readonly nextBookingId: number;
  readonly nextEventId: number;
  /** Undefined if the bank has no ledger. */
  readonly ledger: LedgerHead | undefined;
};

export type ReserveBookingIdsInput = {
  readonly bookings: number;
  readonly events: number;
  readonly postings: number;
  /** The time of the service's clock, MS2000. */
  readonly now: number;
};

/**
 * Must be among the first statements of a transaction, so that what it reads afterwards is up to date. The first
 * booking of a bank creates its head.
 */
export async function reserveBookingIds(
  db: WriteDb,
  bank: GrantedBank,
  { bookings, events, postings, now }: ReserveBookingIdsInput,
): Promise<ReservedBookingIds> {
  const { bankId } = bank;
  // Sent together; the engine runs them in this order.
  const headUpdate = db.dialect.upsertRows(db, 'booking_heads', [{ bank_id: bankId, bookings, events }], {
    key: ['bank_id'],
    sum: ['bookings', 'events'],
  });
  const lockInput = { reservedCount: postings, now };
  const ledgerLock = postings > 0 ? lockLedgerForWrite(db, bank, lockInput) : lockLedger(db, bank, lockInput);
  const headRow = db.selectFrom('booking_heads').selectAll().where('bank_id', '=', bankId).executeTakeFirstOrThrow();
  const [, ledger, head] = await Promise.all([headUpdate, ledgerLock, headRow]);
  return { nextBookingId: head.bookings - bookings + 1, nextEventId: head.events - events + 1, ledger };
}
