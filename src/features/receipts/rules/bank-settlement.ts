// What a bank's configuration makes of a resident's history: the tax in its purchases, and the receipts that its
// settlements add.

import { bankTypes } from '../../places/rules/bank-types.ts';
import type { BankAndResidentRow } from '../queries/bank-and-resident.ts';
import { findValidRate } from './rates.ts';
import { calculateReceipts, type CalculatedReceipt, type SettlementRules } from './calculated-receipts.ts';
import { groupMovements, type HistorySum } from './history-sums.ts';
import type { ResidentHistory } from './resident-history.ts';

/** The rate of the tax to be shown; null where none is. */
export const findVatRate = ({ bank_type, vat_basis_points }: BankAndResidentRow): number | null =>
  bank_type === bankTypes.cash ? findValidRate(vat_basis_points) : null;

/** How the bank settles; undefined where its settlements add nothing. */
export function findSettlementRules(
  head: BankAndResidentRow,
  periodEnds: SettlementRules['periodEnds'],
): SettlementRules | undefined {
  const discountRate = findValidRate(head.discount_basis_points);
  const movesToRent = head.bank_type === bankTypes.rent;
  if (discountRate === null && !movesToRent) return undefined;
  return { discountRate, movesToRent, openPeriod: head.open_period, periodEnds };
}

/** The calculated receipts that lie in the time shown. */
export function listCalculatedReceipts(
  historySums: readonly HistorySum[],
  settlementRules: SettlementRules | undefined,
  { cutoff }: ResidentHistory,
): CalculatedReceipt[] {
  if (settlementRules === undefined) return [];
  return calculateReceipts(groupMovements(historySums), settlementRules).filter(({ at }) => at >= cutoff);
}
