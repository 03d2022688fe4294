// Caches image responses by tenant and request target for two seconds: pages show the same few images again and again.

import { heldBytesOf } from '../lib/deflated-bytes.ts';
import { createTenantCache, createTenantCacheKey } from '../lib/tenant-cache.ts';
import type { Representation } from './representation.ts';
import type { TenantHost } from './context/tenancy.ts';

const maxAgeMs = 2000;
const minuteMs = 60_000;
const maxEntries = 2000;
const maxBytes = 8_000_000;
const maxEntryBytes = 100_000;

export type CachedImageResponse = {
  readonly representation: Representation;
  /** Names and values, in turns, of the header fields that do not depend on the request. */
  readonly fields: readonly string[];
  readonly route: string;
  readonly operationId: string;
};

export type ImageResponseCache = {
  get(tenantHost: TenantHost, target: string): CachedImageResponse | undefined;
  /** Stores a response, unless it is too large, or was requested for the first time: most images never are again. */
  set(tenantHost: TenantHost, target: string, response: CachedImageResponse): void;
};

type ImageResponseCacheEntry = CachedImageResponse & { readonly storedAtMs: number };

/** No entry is used in another minute than it was stored: it may show the day. `clock` returns epoch milliseconds. */
export function createImageResponseCache(clock: () => number): ImageResponseCache {
  const entries = createTenantCache<ImageResponseCacheEntry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
  });
  return {
    get: (tenantHost, target) => {
      const found = entries.get(cacheKey(tenantHost, target));
      return found !== undefined && isFresh(found.storedAtMs, clock()) ? found : undefined;
    },
    set: (tenantHost, target, response) => {
      const { body, isNewlyRendered } = response.representation;
      if (isNewlyRendered !== true && heldBytesOf(body) <= maxEntryBytes)
        entries.set(cacheKey(tenantHost, target), { ...response, storedAtMs: clock() });
    },
  };
}

// The same target means another image where it has a KID of another tenant.
const cacheKey = ({ tenant }: TenantHost, target: string) => createTenantCacheKey({ tenant: tenant.name }, target);

const isFresh = (thenMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - thenMs) < maxAgeMs && Math.floor(nowMs / minuteMs) === Math.floor(thenMs / minuteMs);

const sizeOf = ({ representation: { body } }: ImageResponseCacheEntry, key: string): number =>
  heldBytesOf(body) + key.length + 500;
