// Caches revisions: the same selection by managers with the same rights shares one result for 30 seconds, unless this
// process writes to the bank's ledger meanwhile.

import type { Databases } from '../../database/databases.ts';
import { createPromiseCache } from '../../lib/promise-cache.ts';
import { formatCoverage } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { ledgerTopic } from './queries/ledger-head.ts';
import type { AccountSelection } from './rules/account-selection.ts';

const maxEntries = 5000;
const maxAgeMs = 30_000;

export type RevisionCache = {
  get(scope: Scope, selection: AccountSelection, read: () => Promise<string>): Promise<string>;
};

/** `monotonic` returns milliseconds that never go back. */
export function createRevisionCache(databases: Databases, monotonic?: () => number): RevisionCache {
  const cache = createPromiseCache<string>({
    max: maxEntries,
    maxAgeMs,
    ...(monotonic === undefined ? {} : { monotonic }),
  });
  // How often this process wrote to each ledger. It is a part of the key, so that no commit has to search the cache.
  const writeCounts = new Map<string, number>();
  databases.onCommit((tenant, topics) => {
    for (const topic of topics) {
      const key = `${tenant}/${topic}`;
      writeCounts.set(key, (writeCounts.get(key) ?? 0) + 1);
    }
  });
  return {
    get: ({ retentionDays }, { bank, ...selection }, read) => {
      const { tenant, bankId, coverage } = bank;
      const writeCount = writeCounts.get(`${tenant}/${ledgerTopic(bankId)}`) ?? 0;
      const rights = `${formatCoverage(coverage)}/${retentionDays}`;
      return cache.get(`${tenant}/${bankId}/${writeCount}/${rights}/${JSON.stringify(selection)}`, read);
    },
  };
}
