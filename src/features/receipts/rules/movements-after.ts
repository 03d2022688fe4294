// How much a resident's balances moved after an instant.

import type { HistoryPosting } from './grouping.ts';

type MovementSum = { readonly instant: number; readonly sum: bigint };

export type SumMovementsAfter = (currency: string, instant: number) => bigint;

/**
 * What all postings recorded after an instant come to. They are given newest first, as far back as any instant that is
 * asked about.
 */
export function createSumMovementsAfter(postings: readonly HistoryPosting[]): SumMovementsAfter {
  // For each currency the sum of all that is newer than an instant at which there were postings, newest first.
  const sumsByCurrency = new Map<string, MovementSum[]>();
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
    // Most that are asked about are among the newest.
    const reached = movementSums.findIndex((step) => step.instant <= instant);
    return (reached < 0 ? movementSums.at(-1) : movementSums[reached - 1])?.sum ?? 0n;
  };
}
