// The shared revisions: identical scopes get one answer for at most 30 seconds, and never one older than what this
// process itself wrote.

import { LRUCache } from 'lru-cache';
import type { Databases } from '../../database/databases.ts';
import { ledgerTopic } from './queries/ledger-head.ts';

const maxAgeMs = 30_000;
const maxCachedRevisions = 5000;

export type RevisionCache = {
  get(tenant: string, bankId: number, scopeKey: string, read: () => Promise<string>): Promise<string>;
};

/** `monotonic` answers milliseconds that never go back. */
export function createRevisionCache(
  databases: Databases,
  monotonicNowMs: () => number = () => performance.now(),
): RevisionCache {
  const entries = new LRUCache<string, { readonly atMs: number; readonly revision: Promise<string> }>({
    max: maxCachedRevisions,
  });
  const generations = new Map<string, number>();
  const getGeneration = (tenant: string, topic: string): number => generations.get(`${tenant}/${topic}`) ?? 0;
  // A new generation makes every key of the bank a new one; what stood under the old is not asked for again.
  databases.onCommit((tenant, topics) => {
    for (const topic of topics) generations.set(`${tenant}/${topic}`, getGeneration(tenant, topic) + 1);
  });
  return {
    get: (tenant, bankId, cacheKey, read) => {
      const key = `${tenant}/${bankId}/${getGeneration(tenant, ledgerTopic(bankId))}/${cacheKey}`;
      const cached = entries.get(key);
      if (cached !== undefined && monotonicNowMs() - cached.atMs < maxAgeMs) return cached.revision;
      const entry = { atMs: monotonicNowMs(), revision: read() };
      entries.set(key, entry);
      entry.revision.catch(() => {
        if (entries.peek(key) === entry) entries.delete(key);
      });
      return entry.revision;
    },
  };
}
