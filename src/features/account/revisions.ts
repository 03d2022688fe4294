// The shared revisions: identical scopes get one answer for at most 30 seconds, and never one older than what this
// process itself wrote.

import { LRUCache } from 'lru-cache';
import type { Databases } from '../../database/databases.ts';
import { ledgerTopic } from './ledger-head.ts';

const maxAgeMs = 30_000;
const maxRevisions = 5000;

export type Revisions = {
  of(tenant: string, bankId: number, scopeKey: string, read: () => Promise<string>): Promise<string>;
};

/** `monotonic` answers milliseconds that never go back. */
export function sharedRevisions(databases: Databases, monotonic: () => number = () => performance.now()): Revisions {
  const kept = new LRUCache<string, { readonly atMs: number; readonly revision: Promise<string> }>({
    max: maxRevisions,
  });
  const generations = new Map<string, number>();
  const generationOf = (tenant: string, topic: string): number => generations.get(`${tenant}/${topic}`) ?? 0;
  // A new generation makes every key of the bank a new one; what stood under the old is not asked for again.
  databases.onCommit((tenant, topics) => {
    for (const topic of topics) generations.set(`${tenant}/${topic}`, generationOf(tenant, topic) + 1);
  });
  return {
    of: (tenant, bankId, scopeKey, read) => {
      const key = `${tenant}/${bankId}/${generationOf(tenant, ledgerTopic(bankId))}/${scopeKey}`;
      const known = kept.get(key);
      if (known !== undefined && monotonic() - known.atMs < maxAgeMs) return known.revision;
      const entry = { atMs: monotonic(), revision: read() };
      kept.set(key, entry);
      entry.revision.catch(() => {
        if (kept.peek(key) === entry) kept.delete(key);
      });
      return entry.revision;
    },
  };
}
