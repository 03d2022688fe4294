// Caches of tenants' data. Only one function makes their keys, from a scope or from what a check of the grants made: no
// tenant can find the entry of another, although their ids are the same.

import { LRUCache } from 'lru-cache';

declare const brand: unique symbol;

/** A key of one tenant's data. */
export type TenantCacheKey = string & { readonly [brand]: true };

/** A tenant's name has no slash. Only the last part may have some. */
export const createTenantCacheKey = (
  { tenant }: { readonly tenant: string },
  ...parts: readonly (string | number)[]
): TenantCacheKey => `${tenant}/${parts.join('/')}` as TenantCacheKey;

export const isKeyOfTenant = (key: TenantCacheKey, tenant: string): boolean => key.startsWith(`${tenant}/`);

type TenantCache<V extends {}> = LRUCache<TenantCacheKey, V>;

/** A cache of bounded size, which drops the least recently used entries. */
export const createTenantCache = <V extends {}>(
  options: LRUCache.Options<TenantCacheKey, V, unknown>,
): TenantCache<V> => new LRUCache(options);
