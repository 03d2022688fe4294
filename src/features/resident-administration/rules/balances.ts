// Computes the balances of residents as their receipts show them: from all stored postings, and from the lines that
// settlements of closed periods added.

import type { Tables } from '../../../database/tables.ts';
import { bankTypes } from '../../places/rules/bank-types.ts';
import { listCalculatedReceipts, type BankSettlementState } from '../../receipts/rules/bank-settlement.ts';
import { sumBalances } from '../../receipts/rules/history-sums.ts';
import { findValidRate } from '../../receipts/rules/rates.ts';

export type ResidentRollupSum = Pick<
  Tables['resident_rollups'],
  'user_id' | 'currency' | 'kind' | 'is_credit' | 'amount_high' | 'amount_low' | 'latest'
> & { readonly of_period: number };

export type ResidentBalances = {
  /** By currency, in the order of their codes; null if the manager may not see them. */
  readonly balances: readonly (readonly [currency: string, amountMinor: bigint])[] | null;
  /** The latest instant of a posting that is shown as the resident's, MS2000. */
  readonly lastActivityAt: number | null;
};

const noBalances: ResidentBalances = { balances: [], lastActivityAt: null };

/** Whether settlements of the bank add lines, which are calculated from the sums of each period. */
export const addsCalculatedLines = ({ bank_type, discount_basis_points }: BankSettlementState): boolean =>
  bank_type === bankTypes.rent || findValidRate(discount_basis_points) !== null;

export function createBalancesLookup(
  sums: readonly ResidentRollupSum[],
  bank: BankSettlementState,
  identityCutoff: number,
): (residentId: number) => ResidentBalances {
  const sumsByResident = Map.groupBy(sums, ({ user_id }) => user_id);
  return (residentId) => {
    const ofResident = sumsByResident.get(residentId);
    return ofResident === undefined ? noBalances : computeBalances(ofResident, bank, identityCutoff);
  };
}

function computeBalances(
  sums: readonly ResidentRollupSum[],
  bank: BankSettlementState,
  identityCutoff: number,
): ResidentBalances {
  const movements = sums.map((sum) => ({ ...sum, is_visible: true }));
  const balances = sumBalances(movements);
  for (const { period, currency, totalMinor } of listCalculated(movements, bank))
    // The discount of the open period is still unused. A receipt that credits the resident has a negative total.
    if (period !== bank.open_period) balances.set(currency, (balances.get(currency) ?? 0n) - totalMinor);
  const latest = Math.max(...sums.map((sum) => sum.latest));
  return {
    balances: [...balances].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    // An account shows earlier postings without their resident, whom the instant would reveal.
    lastActivityAt: latest < identityCutoff ? null : latest,
  };
}

function listCalculated(
  movements: readonly (ResidentRollupSum & { readonly is_visible: boolean })[],
  bank: BankSettlementState,
) {
  // Amounts depend on which periods have ended, not on when.
  const periodEnds = new Map(movements.map(({ of_period }) => [of_period, 0]));
  return listCalculatedReceipts(movements, bank, { periodEnds, cutoff: 0 });
}
