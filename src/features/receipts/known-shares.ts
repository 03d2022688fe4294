// The sums of histories, kept for as long as the bank's ledger stands still: whoever follows the pages has them summed
// once. The ledger's version turns in the transaction of every posting, so what is kept is never behind.

import { LRUCache } from 'lru-cache';
import type { Db } from '../../database/dialect.ts';
import type { Scope } from '../../permissions/scope.ts';
import { readShares } from './queries/shares.ts';
import type { HistoryShare } from './rules/shares.ts';
import type { History } from './rules/window.ts';

// A long history has a few hundred shares; this many of them are some ten megabytes.
const maxShares = 100_000;

export type KnownShares = {
  of(db: Db, scope: Scope, version: number, history: History): Promise<readonly HistoryShare[]>;
};

export function knownShares(): KnownShares {
  const kept = new LRUCache<string, { readonly seenAs: string; readonly shares: readonly HistoryShare[] }>({
    maxSize: maxShares,
    sizeCalculation: ({ shares }) => 1 + shares.length,
  });
  return {
    of: async (db, { tenant }, version, history) => {
      const { bankId, userId, firstPeriod, cutoff } = history;
      const key = `${tenant}/${bankId}/${userId}/${cutoff}`;
      const seenAs = `${version}/${firstPeriod}`;
      const known = kept.get(key);
      if (known?.seenAs === seenAs) return known.shares;
      const shares = await readShares(db, history);
      kept.set(key, { seenAs, shares });
      return shares;
    },
  };
}
