// How many postings a receipt takes at a bank, learnt from the pages that were made: the next read asks for as many at
// once as its page is going to need, and for few that it does not.

import { LRUCache } from 'lru-cache';
import type { Scope } from '../../permissions/scope.ts';

export type Habits = {
  /** Enough postings for so many receipts, in most cases. */
  expected(scope: Scope, bankId: number, receipts: number): number;
  learn(scope: Scope, bankId: number, page: { readonly receipts: number; readonly postings: number }): void;
};

const maxBanks = 10_000;
// Most receipts hold a line or two, and the last day read is not known to be whole.
const atFirst = 4;
// A page of many lines is read on for, where the others of its bank need few.
const atMost = 10;
// What one page took counts less with every other.
const fading = 0.98;
const margin = 4;

export function habits(): Habits {
  const perReceipt = new LRUCache<string, number>({ max: maxBanks });
  const keyOf = ({ tenant }: Scope, bankId: number): string => `${tenant}/${bankId}`;
  return {
    expected: (scope, bankId, receipts) =>
      Math.ceil(receipts * Math.min(perReceipt.get(keyOf(scope, bankId)) ?? atFirst, atMost)) + margin,
    learn: (scope, bankId, { receipts, postings }) => {
      const key = keyOf(scope, bankId);
      perReceipt.set(key, Math.max(postings / receipts, fading * (perReceipt.get(key) ?? 0)));
    },
  };
}
