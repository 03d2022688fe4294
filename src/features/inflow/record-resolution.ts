// Books a held line with the ids that its resolution has reserved.

import type { WriteDb } from '../../database/db.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import type { LedgerHead } from '../account/queries/ledger-head.ts';
import type { ReservedBookingIds } from '../bookings/queries/booking-ids.ts';
import { cancelBooking, makeBooking } from './change-booking.ts';
import { createNotBookableProblem, type ResolutionPlan } from './read-resolution.ts';
import type { HeldLineRow } from './queries/held-lines.ts';
import { insertMoneyLines } from './queries/money-lines.ts';

type BookResolutionInput = {
  readonly row: HeldLineRow;
  readonly plan: ResolutionPlan;
  /** With the id of one posting. */
  readonly ledger: LedgerHead | undefined;
  /** The ids of a booking and its event; undefined for a line that is of no booking. */
  readonly ids: ReservedBookingIds | undefined;
  readonly now: number;
};

/** The primary key of money lines lets no line be booked a second time. */
export async function recordResolutionPosting(
  db: WriteDb,
  bank: WholeGrantedBank,
  { row, plan: { line, posting, booking }, ledger, ids, now }: BookResolutionInput,
): Promise<void> {
  if (ledger === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  const booked = [{ ...line, n: row.n, postingId: ledger.nextPostingId }];
  await insertMoneyLines(db, bank, [{ computerId: row.computer_id, epochNumber: row.epoch_number, booked }]);
  if (booking === undefined) {
    await appendPostings(db, ledger, [posting]);
    return;
  }
  if (ids === undefined) throw new Error('a booking is stored without its ids');
  const execution = { now, reserve: () => Promise.resolve({ ids, ledger }) };
  const outcome = await (booking.kind === 'make'
    ? makeBooking(db, bank, booking.plan, execution)
    : cancelBooking(db, bank, booking.found, execution));
  if (outcome.kind === 'hold') throw createNotBookableProblem('booking-refused');
}
