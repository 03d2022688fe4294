// What was just answered to anyone, by the tenant and the target it was asked under: pages show the same few pictures
// over and over, and a target says all there is to say about them.

import { LRUCache } from 'lru-cache';
import type { Representation } from './representation.ts';
import type { TenantHost } from './context/tenancy.ts';

const maxAgeMs = 2000;
const minuteMs = 60_000;
const maxEntries = 2000;
const maxBytes = 8_000_000;
const maxEntryBytes = 100_000;

export type CachedImageResponse = {
  readonly representation: Representation;
  readonly route: string;
  readonly operationId: string;
};

export type ImageResponseCache = {
  get(place: TenantHost, target: string): CachedImageResponse | undefined;
  /** Keeps an answer, unless it is too large or made for this request alone. */
  set(place: TenantHost, target: string, answer: CachedImageResponse): void;
};

type ImageResponseCacheEntry = CachedImageResponse & { readonly storedAtMs: number };

/** A declared cache: two seconds, and never into another minute, which may be of another day. `clock` in epoch ms. */
export function createImageResponseCache(clock: () => number): ImageResponseCache {
  const entries = new LRUCache<string, ImageResponseCacheEntry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
  });
  return {
    get: (place, target) => {
      const found = entries.get(cacheKey(place, target));
      return found !== undefined && isFresh(found.storedAtMs, clock()) ? found : undefined;
    },
    set: (place, target, answer) => {
      const { body, isNewlyRendered } = answer.representation;
      if (isNewlyRendered !== true && body.length <= maxEntryBytes)
        entries.set(cacheKey(place, target), { ...answer, storedAtMs: clock() });
    },
  };
}

// Tenants see their own KIDs alone.
const cacheKey = ({ tenant }: TenantHost, target: string): string => `${tenant.name}${target}`;

const isFresh = (thenMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - thenMs) < maxAgeMs && Math.floor(nowMs / minuteMs) === Math.floor(thenMs / minuteMs);

const sizeOf = ({ representation: { body } }: ImageResponseCacheEntry, key: string): number =>
  body.length + key.length + 500;
