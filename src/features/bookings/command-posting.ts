// Posts the refund of a cancellation, or takes it back, in the transaction of the command.

import type { WriteDb } from '../../database/db.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import { lockLedgerForWrite } from '../account/queries/ledger-head.ts';
import type { PostedAmounts } from './queries/booking-events.ts';
import type { GrantedBooking } from './queries/bookings.ts';
import type { BookingCommand } from './rules/commands.ts';
import type { BookingPolicy } from './rules/policy.ts';
import { calculateCancellationPosting, calculateRestorationPosting } from './rules/refund.ts';

type AppendCommandPostingInput = {
  readonly command: BookingCommand;
  readonly recordedAt: number;
  readonly policy: BookingPolicy;
  readonly postedAmounts: PostedAmounts;
};

/** Returns the id of the posting, or null if the command posts nothing. */
export async function appendCommandPosting(
  db: WriteDb,
  { bank, row }: GrantedBooking,
  { command, recordedAt, policy, postedAmounts: { charge, latest } }: AppendCommandPostingInput,
): Promise<number | null> {
  const amountToPost =
    command === 'Cancel'
      ? calculateCancellationPosting(BigInt(row.price_minor), policy, charge)
      : calculateRestorationPosting(latest);
  if (amountToPost === undefined) return null;
  // The transaction already holds the lock of the ledger; this reserves the id.
  const ledgerHead = await lockLedgerForWrite(db, bank, { reservedCount: 1, now: recordedAt });
  if (ledgerHead === undefined) throw new Error(`bank ${bank.bankId} has postings but no ledger`);
  await appendPostings(db, ledgerHead, [
    {
      ...amountToPost,
      recordedAt,
      locationId: row.location_id,
      unitId: row.unit_id,
      userId: row.user_id,
      kind: 'Booking',
      currency: row.currency,
      documentId: charge?.document_id ?? null,
      text: charge?.text ?? '',
    },
  ]);
  return ledgerHead.nextPostingId;
}
