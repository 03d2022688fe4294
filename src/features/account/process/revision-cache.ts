// Caches revisions: the same selection by managers with the same rights shares one result for 30 seconds, unless this
// process writes to the bank's ledger or changes its residents meanwhile.

import type { Databases } from '../../../database/databases.ts';
import { createPromiseCache } from '../../../lib/caches/promise-cache.ts';
import { createTenantCacheKey, type TenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import { formatCoverage } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { residentsTopic } from '../../residents/queries/residents-version.ts';
import { ledgerTopic } from '../queries/ledger-head.ts';
import type { AccountSelection } from '../rules/account-selection.ts';

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
  // Counts how often this process wrote to each ledger and changed residents of each bank. The counts are part of the
  // key, so that no commit has to search the cache.
  const writeCounts = new Map<TenantCacheKey, number>();
  databases.onCommit((tenant, topics) => {
    for (const topic of topics) {
      const key = createTenantCacheKey({ tenant }, topic);
      writeCounts.set(key, (writeCounts.get(key) ?? 0) + 1);
    }
  });
  const getWriteCount = (scope: Scope, topic: string): number =>
    writeCounts.get(createTenantCacheKey(scope, topic)) ?? 0;
  return {
    get: (scope, { bank, ...selection }, read) => {
      const { bankId, coverage } = bank;
      const counts = [getWriteCount(scope, ledgerTopic(bankId)), getWriteCount(scope, residentsTopic(bankId))];
      const rights = [formatCoverage(coverage), scope.retentionDays];
      return cache.get(createTenantCacheKey(scope, bankId, ...counts, ...rights, JSON.stringify(selection)), read);
    },
  };
}
