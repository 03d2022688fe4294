// Applies a bank's configuration to a resident's history: the tax in its purchases, and the receipts that its settlements
// add.

import { bankTypes } from '../../places/rules/bank-types.ts';
import { findValidRate } from './rates.ts';
import { calculateReceipts, type CalculatedReceipt, type SettlementRules } from './calculated-receipts.ts';
import { groupMovements, type HistorySum } from './history-sums.ts';
import type { ResidentHistory } from './resident-history.ts';

export type BankSettlementState = {
  readonly bank_type: number;
  readonly vat_basis_points: number | null;
  readonly discount_basis_points: number | null;
  readonly open_period: number;
};

/** The rate of the tax that receipts show; null if they show none. */
export const findVatRate = ({ bank_type, vat_basis_points }: BankSettlementState): number | null =>
  bank_type === bankTypes.cash ? findValidRate(vat_basis_points) : null;

/** The rules of the bank's settlements; undefined if they add no receipts. */
export function findSettlementRules(
  bankState: BankSettlementState,
  periodEnds: SettlementRules['periodEnds'],
): SettlementRules | undefined {
  const discountRate = findValidRate(bankState.discount_basis_points);
  const movesToRent = bankState.bank_type === bankTypes.rent;
  if (discountRate === null && !movesToRent) return undefined;
  return { discountRate, movesToRent, openPeriod: bankState.open_period, periodEnds };
}

/** The calculated receipts since the cutoff. */
export function listCalculatedReceipts(
  historySums: readonly HistorySum[],
  settlementRules: SettlementRules | undefined,
  { cutoff }: ResidentHistory,
): CalculatedReceipt[] {
  if (settlementRules === undefined) return [];
  return calculateReceipts(groupMovements(historySums), settlementRules).filter(({ at }) => at >= cutoff);
}
