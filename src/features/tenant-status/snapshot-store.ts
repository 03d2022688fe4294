// Keeps the snapshots whose pages are shown, in the memory of the process. Each belongs to the manager who asked for its
// first page. How many there are, and how large, is bounded: the ones used least recently go first.

import { randomBytes } from 'node:crypto';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { createTenantCache, createTenantCacheKey, type TenantCacheKey } from '../../lib/tenant-cache.ts';
import type { StatusReading } from './read-status.ts';
import type { TenantStatusItem } from './schemas.ts';

/** Whose a snapshot is. */
export type SnapshotOwner = Pick<ManagerContext, 'scope' | 'environment' | 'principal' | 'now'>;

export type SnapshotStore = {
  /** Returns the id of the snapshot. */
  add(owner: SnapshotOwner, snapshot: StatusReading): string;
  /** Undefined where the owner has none of this id, or it is older than two minutes. */
  find(owner: SnapshotOwner, id: string): StatusReading | undefined;
};

const maxAgeMs = 120_000;
/** Who looks at a page that refreshes itself has a new one every 30 seconds. */
const maxPerManager = 8;
const maxSnapshots = 1000;
const maxBytes = 64 * 1024 * 1024;

export function createSnapshotStore(): SnapshotStore {
  const cache = createTenantCache<StatusReading>({
    max: maxSnapshots,
    maxSize: maxBytes,
    sizeCalculation: estimateBytes,
  });
  const keyOf = ({ scope, environment, principal }: SnapshotOwner, id: string): TenantCacheKey =>
    createTenantCacheKey(scope, environment, principal.managerId, id);
  const isExpired = ({ measuredAt }: StatusReading, now: number): boolean => now - measuredAt > maxAgeMs;
  return {
    add: (owner, snapshot) => {
      const expired = [...cache.entries()].filter(([, each]) => isExpired(each, owner.now));
      for (const [key] of expired) cache.delete(key);
      const prefix = keyOf(owner, '');
      // The most recently used one comes first.
      const ownKeys = [...cache.keys()].filter((key) => key.startsWith(prefix));
      for (const key of ownKeys.slice(maxPerManager - 1)) cache.delete(key);
      const id = randomBytes(16).toString('base64url');
      cache.set(keyOf(owner, id), snapshot);
      return id;
    },
    find: (owner, id) => {
      const snapshot = cache.get(keyOf(owner, id));
      return snapshot === undefined || isExpired(snapshot, owner.now) ? undefined : snapshot;
    },
  };
}

/** What an item takes beside its names, and a snapshot beside its items. */
const fixedBytes = 1024;

const estimateBytes = ({ items }: StatusReading): number =>
  items.reduce((sum, item) => sum + fixedBytes + estimateNameBytes(item), fixedBytes);

const estimateNameBytes = ({ bankName, locationName, unitName, computerName }: TenantStatusItem): number =>
  2 * (bankName.length + locationName.length + unitName.length + computerName.length);
