// Caches of tenants' data. One function makes their keys, from what names the tenant (a scope, or what a check of the
// grants made), and the caches take no other keys: no tenant can find the entry of another, though their ids are the same.

import { LRUCache } from 'lru-cache';

declare const brand: unique symbol;

/** A key of one tenant's data. */
export type TenantCacheKey = string & { readonly [brand]: true };

/** A tenant's name has no slash. Of the parts, only the last one may have some. */
export const createTenantCacheKey = (
  { tenant }: { readonly tenant: string },
  ...parts: readonly (string | number)[]
): TenantCacheKey => `${tenant}/${parts.join('/')}` as TenantCacheKey;

export const isKeyOfTenant = (key: TenantCacheKey, tenant: string): boolean => key.startsWith(`${tenant}/`);

export type TenantCache<V extends {}> = LRUCache<TenantCacheKey, V>;

/** A cache of bounded size, which drops the least recently used entries. */
export const createTenantCache = <V extends {}>(
  options: LRUCache.Options<TenantCacheKey, V, unknown>,
): TenantCache<V> => new LRUCache(options);
