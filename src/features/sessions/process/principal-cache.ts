// Caches principals: a snapshot of session and rights is used for at most 60 seconds, and dropped at once when this
// process changes the data from which it was read. Each use of a session is noted for when its manager was last seen.

import type { Databases } from '../../../database/databases.ts';
import { readPrincipal, type StoredPrincipal } from '../../managers/queries/principal.ts';
import { managerIdOfTopic } from '../../managers/rules/manager-topic.ts';
import { storeLastSeen } from '../queries/manager-activity.ts';
import { isLastSeenDue } from '../rules/last-seen.ts';
import { hashToken } from '../rules/session-token.ts';
import type { Principal, PrincipalProvider } from '../../../http/context/principal.ts';
import { createPromiseCache } from '../../../lib/caches/promise-cache.ts';
import { createTenantCacheKey, isKeyOfTenant } from '../../../lib/caches/tenant-cache.ts';

const maxSnapshotAgeMs = 60_000;
const maxSnapshots = 20_000;
const deadlineMs = 5000;

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
        databases.forTenant(tenant).read({ deadlineMs }, (db) => readPrincipal(db, { tokenHash, environment, now }));
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

/**
 * Records when managers were last seen, to within 15 minutes. No request waits for it, and none fails because of it.
 */
function createLastSeenRecorder(databases: Databases) {
  // A snapshot has the time that was stored when it was read, so it is noted once. A write that fails is tried again
  // with the next snapshot.
  const noted = new WeakSet<StoredPrincipal>();
  /** By tenant: manager -> when. Its writes run one after another, each with all managers that were seen meanwhile. */
  const pending = new Map<string, Map<number, number>>();
  const running = new Map<string, Promise<void>>();

  const writePending = async (tenant: string): Promise<void> => {
    for (let seen = pending.get(tenant); seen !== undefined; seen = pending.get(tenant)) {
      pending.delete(tenant);
      const rows = [...seen].map(([managerId, lastSeenAt]) => ({ managerId, lastSeenAt }));
      await databases
        .forTenant(tenant)
        .write({ deadlineMs }, (db) => storeLastSeen(db, rows))
        // A failure must not affect the request, and storage reports its own failures.
        .catch(() => {});
    }
    running.delete(tenant);
  };

  return {
    /** Called with every use of a session. */
    note: (tenant: string, principal: StoredPrincipal, now: number): void => {
      if (!isLastSeenDue(principal.lastSeenAt, now) || noted.has(principal)) return;
      noted.add(principal);
      const seen = pending.get(tenant) ?? new Map<number, number>();
      pending.set(tenant, seen.set(principal.id, now));
      if (!running.has(tenant)) running.set(tenant, writePending(tenant));
    },
    close: async () => {
      await Promise.all(running.values());
    },
  };
}
