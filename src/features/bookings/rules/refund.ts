// What cancelling and restoring a booking moves in the account. A booking is charged by a negative posting; cancelling it
// gives back what the policy says, and restoring it takes exactly that again. Pure, and exact in minor units.

import type { Int64 } from '../../../lib/int64.ts';
import type { BookingPolicy } from './policy.ts';

/** A posting of a booking, as it is stored. */
export type PostedAmount = { readonly amount_minor: Int64; readonly vat_minor: Int64 | null };

export type AmountToPost = { readonly amountMinor: bigint; readonly vatMinor: bigint | null };

type RefundTerms = Pick<BookingPolicy, 'refundPercent' | 'cancelFeeMinor'>;

/** So many percent of the price, rounded half up, less the fee; never below nothing. */
export function calculateRefund(priceMinor: bigint, { refundPercent, cancelFeeMinor }: RefundTerms): bigint {
  const refundMinor = (priceMinor * BigInt(refundPercent ?? 100) + 50n) / 100n - (cancelFeeMinor ?? 0n);
  return refundMinor > 0n ? refundMinor : 0n;
}

/**
 * What a cancellation posts, with its share of the tax: never more than was charged. Undefined where nothing was charged,
 * or nothing comes back.
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

/** What a restoration posts: the refund, taken back. */
export function calculateRestorationPosting(refund: PostedAmount | undefined): AmountToPost | undefined {
  if (refund === undefined) return undefined;
  const { amount_minor: amount, vat_minor: vat } = refund;
  return { amountMinor: -BigInt(amount), vatMinor: vat === null ? null : -BigInt(vat) };
}
