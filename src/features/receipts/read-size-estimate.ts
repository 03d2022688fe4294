// How many postings a receipt takes at a bank, learnt from the pages that were made: the next read asks for as many at
// once as its page is going to need, and for few that it does not.

import { LRUCache } from 'lru-cache';
import type { Scope } from '../../permissions/scope.ts';

export type ReadSizeEstimate = {
  /** Enough postings for so many receipts, in most cases. */
  estimatePostings(scope: Scope, bankId: number, receipts: number): number;
  recordPage(scope: Scope, bankId: number, page: { readonly receipts: number; readonly postings: number }): void;
};

const maxRememberedBanks = 10_000;
// Most receipts hold a line or two, and the last day read is not known to be whole.
const initialPostingsPerReceipt = 4;
// A page of many lines is read on for, where the others of its bank need few.
const maxPostingsPerReceipt = 10;
// What one page took counts less with every other.
const decayFactor = 0.98;
const extraPostings = 4;

export function createReadSizeEstimate(): ReadSizeEstimate {
  const postingsPerReceipt = new LRUCache<string, number>({ max: maxRememberedBanks });
  const formatBankKey = ({ tenant }: Scope, bankId: number): string => `${tenant}/${bankId}`;
  return {
    estimatePostings: (scope, bankId, receipts) =>
      Math.ceil(
        receipts *
          Math.min(
            postingsPerReceipt.get(formatBankKey(scope, bankId)) ?? initialPostingsPerReceipt,
            maxPostingsPerReceipt,
          ),
      ) + extraPostings,
    recordPage: (scope, bankId, { receipts, postings }) => {
      const key = formatBankKey(scope, bankId);
      postingsPerReceipt.set(key, Math.max(postings / receipts, decayFactor * (postingsPerReceipt.get(key) ?? 0)));
    },
  };
}
