// Remembers the key of each tenant that makes cursors. It never changes, and is the same for all replicas.

import { createHmac } from 'node:crypto';
import type { Db } from '../../database/db.ts';
import { createPromiseCache } from '../../lib/caches/promise-cache.ts';
import { createTenantCacheKey } from '../../lib/caches/tenant-cache.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { CursorKey } from './cursor.ts';
import { getCursorSecret } from './queries/cursor-secret.ts';

type TenantReader = { readonly scope: Scope; read<T>(work: (db: Db) => Promise<T>): Promise<T> };

export type CursorKeys = { get(context: TenantReader): Promise<CursorKey> };

const maxTenants = 1000;

export function createCursorKeys(): CursorKeys {
  const cache = createPromiseCache<CursorKey>({ max: maxTenants });
  return {
    get: (context) => {
      const { scope } = context;
      return cache.get(createTenantCacheKey(scope), async () =>
        deriveKey(await context.read(getCursorSecret), scope.tenant),
      );
    },
  };
}

/** Copied databases have the same secret, so a tenant's key depends on its name as well. */
function deriveKey(secret: Buffer, tenant: string): CursorKey {
  const derive = (purpose: string): Buffer => createHmac('sha256', secret).update(`${purpose} ${tenant}`).digest();
  return { authentication: derive('authentication'), encryption: derive('encryption') };
}
