// Keeps the snapshots whose pages are shown in the memory of the process. A snapshot that is not in memory is read from
// the database by the caller.

import { randomBytes } from 'node:crypto';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { createTenantCache, createTenantCacheKey, type TenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import type { StatusReading } from '../read-status.ts';
import { maxAgeMs, maxPerManager } from '../rules/page-cursor.ts';
import type { TenantStatusItem } from '../schemas.ts';

/** Identifies the owner of a snapshot. */
export type SnapshotOwner = Pick<ManagerContext, 'scope' | 'environment' | 'principal' | 'now'>;

export type SnapshotStore = {
  /** Returns the id of the snapshot, and those of older ones of the owner that were dropped for it. */
  add(owner: SnapshotOwner, snapshot: StatusReading): { readonly id: string; readonly dropped: readonly string[] };
  /** Keeps one that was found in the database. */
  keep(owner: SnapshotOwner, id: string, snapshot: StatusReading): void;
  /** Undefined if the owner has no snapshot with this id, or it is older than two minutes. */
  find(owner: SnapshotOwner, id: string): StatusReading | undefined;
};

const maxSnapshots = 1000;
const maxBytes = 64 * 1024 * 1024;

/**
 * A snapshot belongs to the manager who asked for the first page of the snapshot. The number and the size of snapshots
 * are bounded: the least recently used snapshots are dropped first.
 */
export function createSnapshotStore(): SnapshotStore {
  const cache = createTenantCache<StatusReading>({
    max: maxSnapshots,
    maxSize: maxBytes,
    sizeCalculation: estimateBytes,
  });
  const keyOf = ({ scope, environment, principal }: SnapshotOwner, id: string): TenantCacheKey =>
    createTenantCacheKey(scope, environment, principal.id, id);
  const isExpired = ({ measuredAt }: StatusReading, now: number): boolean => now - measuredAt > maxAgeMs;
  const makeRoom = (owner: SnapshotOwner): string[] => {
    const expired = [...cache.entries()].filter(([, each]) => isExpired(each, owner.now));
    for (const [key] of expired) cache.delete(key);
    const prefix = keyOf(owner, '');
    // The most recently used one comes first.
    const ownKeys = [...cache.keys()].filter((key) => key.startsWith(prefix));
    const dropped = ownKeys.slice(maxPerManager - 1);
    for (const key of dropped) cache.delete(key);
    return dropped.map((key) => key.slice(prefix.length));
  };
  return {
    add: (owner, snapshot) => {
      const dropped = makeRoom(owner);
      const id = randomBytes(16).toString('base64url');
      cache.set(keyOf(owner, id), snapshot);
      return { id, dropped };
    },
    keep: (owner, id, snapshot) => {
      makeRoom(owner);
      cache.set(keyOf(owner, id), snapshot);
    },
    find: (owner, id) => {
      const snapshot = cache.get(keyOf(owner, id));
      return snapshot === undefined || isExpired(snapshot, owner.now) ? undefined : snapshot;
    },
  };
}

/** The size of an item without its names, and of a snapshot without its items. */
const fixedBytes = 1024;

const estimateBytes = ({ items }: StatusReading): number =>
  items.reduce((sum, item) => sum + fixedBytes + estimateNameBytes(item), fixedBytes);

const estimateNameBytes = ({ bankName, locationName, unitName, computerName }: TenantStatusItem): number =>
  2 * (bankName.length + locationName.length + unitName.length + computerName.length);
