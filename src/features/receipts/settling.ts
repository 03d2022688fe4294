// What a bank's configuration makes of a resident's history: the tax in its purchases, and the receipts that its
// settlements add.

import { bankTypes } from '../places/bank-types.ts';
import type { Head } from './queries/head.ts';
import { validRate } from './rules/rates.ts';
import { calculatedReceipts, type Calculated, type Settling } from './rules/settlement.ts';
import { movementsOf, type HistoryShare } from './rules/shares.ts';
import type { History } from './rules/window.ts';

/** The rate of the tax to be shown; null where none is. */
export const vatRateOf = ({ bank_type, vat_basis_points }: Head): number | null =>
  bank_type === bankTypes.cash ? validRate(vat_basis_points) : null;

/** How the bank settles; undefined where its settlements add nothing. */
export function settlingOf(head: Head, ends: Settling['ends']): Settling | undefined {
  const discountRate = validRate(head.discount_basis_points);
  const movesToRent = head.bank_type === bankTypes.rent;
  if (discountRate === null && !movesToRent) return undefined;
  return { discountRate, movesToRent, openPeriod: head.open_period, ends };
}

/** The calculated receipts that lie in the time shown. */
export function calculatedOf(
  shares: readonly HistoryShare[],
  settling: Settling | undefined,
  { cutoff }: History,
): Calculated[] {
  if (settling === undefined) return [];
  return calculatedReceipts(movementsOf(shares), settling).filter(({ at }) => at >= cutoff);
}
