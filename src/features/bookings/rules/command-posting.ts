// Decides what a command on a booking posts: the refund of a cancellation, or the same amount back.

import type { PostingDraft } from '../../account/rules/posting-draft.ts';
import type { PostedAmounts } from '../queries/booking-events.ts';
import type { BookingRow } from '../queries/bookings.ts';
import type { BookingCommand } from './allowed-commands.ts';
import type { BookingPolicy } from './policy.ts';
import { calculateCancellationPosting, calculateRestorationPosting } from './refund.ts';

export type CommandPostingInput = {
  readonly command: BookingCommand;
  readonly recordedAt: number;
  readonly policy: BookingPolicy;
  readonly postedAmounts: PostedAmounts;
};

/** Undefined if the command posts nothing. */
export function draftCommandPosting(
  row: BookingRow,
  { command, recordedAt, policy, postedAmounts: { charge, latest } }: CommandPostingInput,
): PostingDraft | undefined {
  const amountToPost =
    command === 'Cancel'
      ? calculateCancellationPosting(BigInt(row.price_minor), policy, charge)
      : calculateRestorationPosting(latest);
  return (
    amountToPost && {
      ...amountToPost,
      recordedAt,
      locationId: row.location_id,
      unitId: row.unit_id,
      residentId: row.user_id,
      kind: 'Booking',
      currency: row.currency,
      documentId: charge?.document_id ?? null,
      text: charge?.text ?? '',
    }
  );
}
