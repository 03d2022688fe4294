// Estimates how many postings a page of receipts needs, from the pages made before at the same bank. A read then fetches
// about as many postings at once as its page takes.

import { createTenantCache, createTenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

export type ReadSizeEstimate = {
  /** Enough postings for so many receipts, in most cases. */
  estimatePostings(bank: GrantedBank, receipts: number): number;
  recordPage(bank: GrantedBank, page: { readonly receipts: number; readonly postings: number }): void;
};

const maxRememberedBanks = 10_000;
// Most receipts have one line or two. The oldest day that was read may be incomplete and cannot be used.
const initialPostingsPerReceipt = 4;
// One page with many lines must not make every other read of its bank large.
const maxPostingsPerReceipt = 10;
// The largest page counts less with every later one.
const decayFactor = 0.98;
const extraPostings = 4;

export function createReadSizeEstimate(): ReadSizeEstimate {
  const postingsPerReceipt = createTenantCache<number>({ max: maxRememberedBanks });
  const createKey = (bank: GrantedBank) => createTenantCacheKey(bank, bank.bankId);
  return {
    estimatePostings: (bank, receipts) => {
      const known = postingsPerReceipt.get(createKey(bank)) ?? initialPostingsPerReceipt;
      return Math.ceil(receipts * Math.min(known, maxPostingsPerReceipt)) + extraPostings;
    },
    recordPage: (bank, { receipts, postings }) => {
      const key = createKey(bank);
      postingsPerReceipt.set(key, Math.max(postings / receipts, decayFactor * (postingsPerReceipt.get(key) ?? 0)));
    },
  };
}
