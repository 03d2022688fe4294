// Sums how much a resident's balances changed after an instant, and computes the balances that they had then.

import type { HistorySummary } from './history-summary.ts';
import type { HistoryPosting } from './receipt-grouping.ts';

type RunningMovement = { readonly instant: number; readonly sum: bigint };

type SumMovementsAfter = (currency: string, instant: number) => bigint;

/**
 * Returns a function that sums the postings recorded after an instant. The postings must be newest first, and reach
 * back to the earliest instant that is asked for.
 */
export function createSumMovementsAfter(postings: readonly HistoryPosting[]): SumMovementsAfter {
  // For each currency, newest first: an instant with postings, and the sum of all postings since then.
  const sumsByCurrency = new Map<string, RunningMovement[]>();
  for (const { currency, recorded_at: instant, amount_minor } of postings) {
    let movementSums = sumsByCurrency.get(currency);
    if (movementSums === undefined) sumsByCurrency.set(currency, (movementSums = []));
    const last = movementSums.at(-1);
    const sum = (last?.sum ?? 0n) + BigInt(amount_minor);
    if (last?.instant === instant) movementSums[movementSums.length - 1] = { instant, sum };
    else movementSums.push({ instant, sum });
  }
  return (currency, instant) => {
    const movementSums = sumsByCurrency.get(currency) ?? [];
    // Most instants that are asked for are among the newest.
    const firstNotAfter = movementSums.findIndex((step) => step.instant <= instant);
    return (firstNotAfter < 0 ? movementSums.at(-1) : movementSums[firstNotAfter - 1])?.sum ?? 0n;
  };
}

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
