// Caches principals: a snapshot of session and rights is used for at most 60 seconds, and dropped at once when this
// process changes the data from which it was read. Each use of a session is noted for when its manager was last seen.

import type { Databases } from '../../../database/databases.ts';
import type { Principal, PrincipalProvider } from '../../../http/context/principal.ts';
import { createPromiseCache } from '../../../lib/caches/promise-cache.ts';
import { createTenantCacheKey, isKeyOfTenant } from '../../../lib/caches/tenant-cache.ts';
import { managerIdOfTopic } from '../../managers/rules/manager-topic.ts';
import { readPrincipal, type StoredPrincipal } from '../../managers/queries/principal.ts';
import { createLastSeenRecorder } from './last-seen-recorder.ts';
import { hashToken } from '../rules/session-token.ts';

const maxSnapshotAgeMs = 60_000;
const maxSnapshots = 20_000;
const readDeadlineMs = 5000;

export type PrincipalCache = PrincipalProvider & {
  /** Drops the snapshot of one token. */
  invalidateToken(tenant: string, tokenHash: string): void;
  /** Drops all snapshots of a manager. */
  invalidateManager(tenant: string, managerId: number): void;
  /** Waits for writes that are still running. */
  close(): Promise<void>;
};

/** `monotonic` returns milliseconds that never go back. */
export function createPrincipalCache(databases: Databases, monotonic?: () => number): PrincipalCache {
  const snapshots = createPromiseCache<StoredPrincipal | undefined>({
    max: maxSnapshots,
    maxAgeMs: maxSnapshotAgeMs,
    ...(monotonic === undefined ? {} : { monotonic }),
  });
  const lastSeen = createLastSeenRecorder(databases);
  const use = (tenant: string, principal: StoredPrincipal | undefined, now: number): Principal | undefined => {
    if (principal === undefined || principal.expiresAt <= now) return undefined;
    lastSeen.note(tenant, principal, now);
    return principal;
  };
  return {
    findPrincipal: ({ tenant, environment, token, now }) => {
      const tokenHash = hashToken(token);
      const key = createTenantCacheKey({ tenant }, environment, tokenHash);
      const cached = snapshots.peek(key);
      if (cached !== undefined) return use(tenant, cached, now);
      const read = (): Promise<StoredPrincipal | undefined> =>
        databases
          .forTenant(tenant)
          .read({ deadlineMs: readDeadlineMs }, (db) => readPrincipal(db, { tokenHash, environment, now }));
      return snapshots.get(key, read).then((principal) => use(tenant, principal, now));
    },
    readCurrentPrincipal: (db, { tokenHash, environment }, now) => readPrincipal(db, { tokenHash, environment, now }),
    invalidateToken: (tenant, tokenHash) => {
      for (const environment of ['production', 'beta'] as const)
        snapshots.delete(createTenantCacheKey({ tenant }, environment, tokenHash));
    },
    // A snapshot that is still being read may be of this manager.
    invalidateManager: (tenant, managerId) =>
      snapshots.deleteWhere(
        (key, principal) => isKeyOfTenant(key, tenant) && (principal === undefined || principal.id === managerId),
      ),
    close: () => lastSeen.close(),
  };
}

/** Drops a manager's snapshots whenever this process commits a change of that manager. */
export function invalidateOnCommit(databases: Databases, principalCache: PrincipalCache): void {
  databases.onCommit((tenant, topics) => {
    for (const topic of topics) {
      const managerId = managerIdOfTopic(topic);
      if (managerId !== undefined) principalCache.invalidateManager(tenant, managerId);
    }
  });
}
