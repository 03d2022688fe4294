// Calculates the postings of commands: a cancellation refunds a share of the charge, and a restoration takes the refund
// back. A charge is a negative posting.

import type { Int64 } from '../../../lib/values/int64.ts';
import type { BookingPolicy } from './policy.ts';

/** The amounts of a stored posting. */
type PostedAmount = { readonly amount_minor: Int64; readonly vat_minor: Int64 | null };

type AmountToPost = { readonly amountMinor: bigint; readonly vatMinor: bigint | null };

type RefundTerms = Pick<BookingPolicy, 'refundPercent' | 'cancelFeeMinor'>;

/** The percentage of the price, rounded half up, less the fee; at least zero. */
export function calculateRefund(priceMinor: bigint, { refundPercent, cancelFeeMinor }: RefundTerms): bigint {
  const refundMinor = (priceMinor * BigInt(refundPercent ?? 100) + 50n) / 100n - (cancelFeeMinor ?? 0n);
  return refundMinor > 0n ? refundMinor : 0n;
}

/**
 * The refund of a cancellation, at most the charge, with its share of the VAT. Undefined if nothing was charged or
 * nothing is refunded.
 */
export function calculateCancellationPosting(
  priceMinor: bigint,
  terms: RefundTerms,
  charge: PostedAmount | undefined,
): AmountToPost | undefined {
  const charged = -BigInt(charge?.amount_minor ?? 0);
  const refund = calculateRefund(priceMinor, terms);
  const amountMinor = refund < charged ? refund : charged;
  if (charge === undefined || amountMinor <= 0n) return undefined;
  const { vat_minor: vat } = charge;
  return { amountMinor, vatMinor: vat === null ? null : -(BigInt(vat) * amountMinor) / charged };
}

/** The refund with the opposite sign; undefined if there was none. */
export function calculateRestorationPosting(refund: PostedAmount | undefined): AmountToPost | undefined {
  if (refund === undefined) return undefined;
  const { amount_minor: amount, vat_minor: vat } = refund;
  return { amountMinor: -BigInt(amount), vatMinor: vat === null ? null : -BigInt(vat) };
}
