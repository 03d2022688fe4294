// Applies a bank's configuration to a resident's history: the tax in its purchases, and the receipts that its settlements
// add.

import { bankTypes } from '../../places/rules/bank-types.ts';
import { findValidRate } from './rates.ts';
import { calculateReceipts, type CalculatedReceipt, type SettlementRules } from './calculated-receipts.ts';
import { groupMovements, type MovementSum } from './history-sums.ts';

export type BankSettlementState = {
  readonly bank_type: number;
  readonly vat_basis_points: number | null;
  readonly discount_basis_points: number | null;
  readonly open_period: number;
};

/** The rate of the tax that receipts show; null if they show none. */
export const findVatRate = ({ bank_type, vat_basis_points }: BankSettlementState): number | null =>
  bank_type === bankTypes.cash ? findValidRate(vat_basis_points) : null;

/** What the bank's settlements add to a history, shown or not. */
export function listCalculatedReceipts(
  historySums: readonly MovementSum[],
  { bank_type, discount_basis_points, open_period: openPeriod }: BankSettlementState,
  history: Pick<SettlementRules, 'periodEnds' | 'cutoff'>,
): CalculatedReceipt[] {
  const discountRate = findValidRate(discount_basis_points);
  const movesToRent = bank_type === bankTypes.rent;
  if (discountRate === null && !movesToRent) return [];
  return calculateReceipts(groupMovements(historySums), { discountRate, movesToRent, openPeriod, ...history });
}
