// Remembers the key of each tenant that authenticates cursors. It never changes, and is the same for all replicas.

import { createHmac } from 'node:crypto';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { createPromiseCache } from '../../../lib/promise-cache.ts';
import { createTenantCacheKey } from '../../../lib/tenant-cache.ts';
import { getCursorKey } from '../queries/signing-key.ts';

export type CursorKeys = { get(context: ManagerContext): Promise<Buffer> };

const maxTenants = 1000;

export function createCursorKeys(): CursorKeys {
  const cache = createPromiseCache<Buffer>({ max: maxTenants });
  return {
    get: (context) => {
      const { scope } = context;
      return cache.get(createTenantCacheKey(scope), async () =>
        deriveKey(await context.read(getCursorKey), scope.tenant),
      );
    },
  };
}

/** Copied databases have the same secret, so a tenant's key depends on its name as well. */
const deriveKey = (secret: Buffer, tenant: string): Buffer => createHmac('sha256', secret).update(tenant).digest();
