// The sums of histories, kept for as long as they are asked for: a ledger is only appended to, so what was summed once is
// not summed again, and a read adds the postings that came since. Whoever reads in a snapshot that is older than the
// sums has them made anew.

import { LRUCache } from 'lru-cache';
import type { Db } from '../../database/dialect.ts';
import type { Scope } from '../../permissions/scope.ts';
import { countSince, readShares } from './queries/shares.ts';
import { mergeShares, type HistoryShare } from './rules/shares.ts';
import type { History } from './rules/window.ts';

// A long history has a few hundred shares; this many of them are some ten megabytes.
const maxShares = 100_000;

/** Of all postings with ids below `below`. */
type Kept = { readonly below: number; readonly shares: readonly HistoryShare[] };

export type Summed = {
  /** Answers the sums of all postings there are in the snapshot, whose ids are below `below`. */
  upTo(below: number): Promise<readonly HistoryShare[]>;
};

export type KnownShares = {
  /** Asks for what is not known yet. */
  of(db: Db, scope: Scope, history: History): Promise<Summed>;
};

export function knownShares(): KnownShares {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxShares,
    sizeCalculation: ({ shares }) => 1 + shares.length,
  });
  return {
    of: async (db, { tenant }, history) => {
      const { bankId, userId, firstPeriod, cutoff } = history;
      const key = `${tenant}/${bankId}/${userId}/${firstPeriod}/${cutoff}`;
      const known = kept.get(key);
      const asked =
        known === undefined
          ? { all: await readShares(db, history) }
          : { known, since: await countSince(db, history, known.below) };
      return {
        upTo: async (below) => {
          const shares = await sharesOf(db, history, asked, below);
          if (below > (kept.peek(key)?.below ?? 0)) kept.set(key, { below, shares });
          return shares;
        },
      };
    },
  };
}

type Asked = { readonly all: readonly HistoryShare[] } | { readonly known: Kept; readonly since: number };

async function sharesOf(db: Db, history: History, asked: Asked, below: number): Promise<readonly HistoryShare[]> {
  if ('all' in asked) return asked.all;
  const { known, since } = asked;
  if (below < known.below) return readShares(db, history);
  return since === 0 ? known.shares : mergeShares(known.shares, await readShares(db, history, known.below));
}
