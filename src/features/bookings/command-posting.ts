// Posts what a command moves in the account, in the command's own transaction.

import type { WriteDb } from '../../database/db.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import { lockLedgerForWrite } from '../account/queries/ledger-head.ts';
import type { BookingRow } from './queries/bookings.ts';
import type { PostedAmounts } from './queries/booking-events.ts';
import type { BookingCommand, CommandConditions } from './rules/commands.ts';
import { calculateCancellationPosting, calculateRestorationPosting } from './rules/refund.ts';

type AppendCommandPostingInput = {
  readonly command: BookingCommand;
  readonly now: number;
  readonly moved: PostedAmounts;
  readonly standing: CommandConditions;
};

/** Posts what the command moves in the account; answers the posting's id, or null where it moves nothing. */
export async function appendCommandPosting(
  db: WriteDb,
  row: BookingRow,
  { command, moved: postedAmounts, standing, now }: AppendCommandPostingInput,
): Promise<number | null> {
  const { charge, latest } = postedAmounts;
  const amountToPost =
    command === 'Cancel'
      ? calculateCancellationPosting(BigInt(row.price_minor), standing.policy, charge)
      : calculateRestorationPosting(latest);
  if (amountToPost === undefined) return null;
  // The row is held since the beginning; now it is known that an id is needed.
  const ledgerHead = await lockLedgerForWrite(db, row.bank_id, 1);
  if (ledgerHead === undefined) throw new Error(`bank ${row.bank_id} has postings, and no ledger`);
  await appendPostings(db, ledgerHead, [
    {
      ...amountToPost,
      recordedAt: now,
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
