// How much a resident's balances moved after an instant.

import type { Posting } from './grouping.ts';

type Moved = { readonly instant: number; readonly sum: bigint };

export type Later = (currency: string, instant: number) => bigint;

/**
 * What all postings recorded after an instant come to. They are given newest first, as far back as any instant that is
 * asked about.
 */
export function laterOf(postings: readonly Posting[]): Later {
  // For each currency the sum of all that is newer than an instant at which there were postings, newest first.
  const steps = new Map<string, Moved[]>();
  for (const { currency, recorded_at: instant, amount_minor } of postings) {
    let moved = steps.get(currency);
    if (moved === undefined) steps.set(currency, (moved = []));
    const last = moved.at(-1);
    const sum = (last?.sum ?? 0n) + BigInt(amount_minor);
    if (last?.instant === instant) moved[moved.length - 1] = { instant, sum };
    else moved.push({ instant, sum });
  }
  return (currency, instant) => {
    const moved = steps.get(currency) ?? [];
    // Most that are asked about are among the newest.
    const reached = moved.findIndex((step) => step.instant <= instant);
    return (reached < 0 ? moved.at(-1) : moved[reached - 1])?.sum ?? 0n;
  };
}
