// Sums how much a resident's balances changed after an instant.

import type { HistoryPosting } from './receipt-grouping.ts';

type RunningMovement = { readonly instant: number; readonly sum: bigint };

export type SumMovementsAfter = (currency: string, instant: number) => bigint;

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
