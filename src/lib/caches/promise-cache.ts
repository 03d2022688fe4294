// A cache of values that are read when they are first asked for. Equal reads at the same time are one read; a read that
// fails is not kept.

import { LRUCache } from 'lru-cache';
import type { TenantCacheKey } from './tenant-cache.ts';

type PromiseCacheOptions = {
  /** How many entries are kept; the least recently used one goes first. */
  readonly max: number;
  /** How long an entry may be used; without it, for ever. Age counts from before the read. */
  readonly maxAgeMs?: number;
  /** Milliseconds that never go back. */
  readonly monotonic?: () => number;
};

/** Age counts from before the read, since the data may have changed while it ran. */
type Entry<V> = { readonly value: V; readonly readAtMs: number };

/** Its keys are those of tenants' data, unless another type is given. */
export function createPromiseCache<V, K extends string = TenantCacheKey>({
  max,
  maxAgeMs,
  monotonic,
}: PromiseCacheOptions) {
  const now = monotonic ?? (() => performance.now());
  const pendingReads = new Set<{ readonly key: K }>();
  const entries = new LRUCache<K, Entry<V>, () => Promise<V>>({
    max,
    // Callers that wait for a read get its value, even if the entry was deleted meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: read }) => {
      const readAtMs = now();
      return { value: await read(), readAtMs };
    },
  });
  const isFresh = ({ readAtMs }: Entry<V>): boolean => maxAgeMs === undefined || now() - readAtMs < maxAgeMs;
  /** The value of a key, if it is known already. */
  const peek = (key: K): V | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (isFresh(entry)) return entry.value;
    entries.delete(key);
    return undefined;
  };
  return {
    /** The value of a key, which is read where it is not known. An `undefined` is returned, but not kept. */
    get: async (key: K, read: () => Promise<V>): Promise<V> => {
      const known = peek(key);
      if (known !== undefined) return known;
      // Until the library has stored the entry, it does not list its key.
      const pendingRead = { key };
      pendingReads.add(pendingRead);
      try {
        const entry = await entries.fetch(key, { context: read });
        if (entry?.value === undefined && entries.peek(key) === entry) entries.delete(key);
        return entry?.value as V;
      } finally {
        pendingReads.delete(pendingRead);
      }
    },
    peek,
    delete: (key: K): void => void entries.delete(key),
    /** Deletes the entries for which `matches` holds. A value that is still being read is given as undefined. */
    deleteWhere: (matches: (key: K, value: V | undefined) => boolean): void => {
      const matching = [...entries.entries()].filter(([key, { value }]) => matches(key, value));
      for (const [key] of matching) entries.delete(key);
      // The library lists no key whose value is still being read.
      for (const { key } of pendingReads) if (matches(key, undefined)) entries.delete(key);
    },
  };
}
