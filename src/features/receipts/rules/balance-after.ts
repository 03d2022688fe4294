// Computes a resident's balance at an instant from the stored postings, and from the receipts that settlements of
// closed periods added. The calculated discount of the open period is still unused, and is left out.

import type { HistorySummary } from './history-summary.ts';
import type { SumMovementsAfter } from './movements-after.ts';

/** The balance in a currency after everything up to an instant. */
export type ComputeBalanceAfter = (currency: string, instant: number) => bigint;

export function createComputeBalanceAfter(
  { balances, calculated, openPeriod }: Pick<HistorySummary, 'balances' | 'calculated' | 'openPeriod'>,
  sumMovementsAfter: SumMovementsAfter,
): ComputeBalanceAfter {
  const settled = calculated.filter(({ period }) => period !== openPeriod);
  return (currency, instant) => {
    let balance = (balances.get(currency) ?? 0n) - sumMovementsAfter(currency, instant);
    // A receipt that credits the resident has a negative total.
    for (const each of settled) if (each.currency === currency && each.at <= instant) balance -= each.totalMinor;
    return balance;
  };
}
