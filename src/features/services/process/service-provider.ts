// Provides the principals of services. Every request reads the stored access, so that a key replaced or access
// withdrawn on any replica takes effect with the next request.

import { hash } from 'node:crypto';
import type { Databases } from '../../../database/databases.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import { serviceGrantAccess, serviceWriteAccess } from '../access.ts';
import { createKeyVerifier } from './key-verifier.ts';
import { findKeyAccess, type KeyAccess } from '../queries/key-access.ts';
import { storeKeyUse } from '../queries/write-service.ts';
import { isApiKeyShaped, parseApiKey } from '../rules/api-key.ts';
import { findServiceIdentity } from '../rules/service-catalogue.ts';
import type { FindServiceInput, Principal, ServiceProvider } from '../../../http/context/principal.ts';
import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { Permission } from '../../../permissions/matrix.ts';
import { intersectRights } from '../../../permissions/shared-rights.ts';

const deadlineMs = 5000;

type ServiceKeyProvider = ServiceProvider & {
  /** Waits for writes that are still running. */
  close(): Promise<void>;
};

type ServiceProviderDependencies = { readonly databases: Databases; readonly passwordHasher: PasswordHasher };

export function createServiceProvider({ databases, passwordHasher }: ServiceProviderDependencies): ServiceKeyProvider {
  const verify = createKeyVerifier(passwordHasher);
  const recorder = createKeyUseRecorder(databases);
  return {
    isKey: isApiKeyShaped,
    findPrincipal: async (input) => {
      const { tenant, environment, token: key, address, now } = input;
      const serviceId = parseApiKey(key);
      if (serviceId === undefined) return undefined;
      const access = await databases.forTenant(tenant).read({ deadlineMs }, (db) => findKeyAccess(db, serviceId));
      if (access === undefined || access.environment !== environment || !isStillAllowed(access)) return undefined;
      if (!(await verify({ tenant, key, phc: access.hash, address }))) return undefined;
      recorder.note({ tenant, serviceId, now, lastUsedAt: access.lastUsedAt });
      return createServicePrincipal(access, input);
    },
    close: () => recorder.close(),
  };
}

const isRead = (permission: Permission): boolean => permission.endsWith('.Read');

/** Whether the one manager may still make a key, and the other one still grant it operations. */
const isStillAllowed = ({ maker, granter }: KeyAccess): boolean =>
  isAuthorized(serviceWriteAccess, maker.rights) && isAuthorized(serviceGrantAccess, granter.rights);

/** No more than both managers may do now, and only to read. */
function createServicePrincipal(
  { serviceId, operations, maker, granter }: KeyAccess,
  { token, environment }: FindServiceInput,
): Principal {
  const rights = intersectRights(maker.rights, granter.rights);
  return {
    ...rights,
    permissions: new Set([...rights.permissions].filter(isRead)),
    id: serviceId,
    grantedOperations: operations,
    tokenHash: hash('sha256', token, 'hex'),
    environment,
    expiresAt: Number.MAX_SAFE_INTEGER,
    retentionDays: Math.min(maker.retentionDays, granter.retentionDays),
    profile: {
      name: findServiceIdentity(serviceId) ?? '',
      email: '',
      organisation: '',
      personIcon: 'service',
      theme: 0,
    },
  };
}

const intervalMs = 60_000;

type KeyUse = {
  readonly tenant: string;
  readonly serviceId: number;
  /** MS2000. */
  readonly now: number;
  /** The stored time. */
  readonly lastUsedAt: number | null;
};

/**
 * Records when keys of services were last used, to within a minute. No request waits for it, and none fails because of
 * it.
 */
function createKeyUseRecorder(databases: Databases) {
  // A service of a tenant -> its use that was written last, or is being written. There are not many services.
  const written = new Map<string, number>();
  const running = new Set<Promise<void>>();

  const write = async (key: string, { tenant, serviceId, now }: KeyUse): Promise<void> => {
    try {
      await databases.forTenant(tenant).write({ deadlineMs }, (db) => storeKeyUse(db, serviceId, now));
    } catch {
      // Storage reports its own failures. The next use is stored instead.
      written.delete(key);
    }
  };

  return {
    note: (use: KeyUse): void => {
      const key = `${use.tenant}/${use.serviceId}`;
      const last = Math.max(use.lastUsedAt ?? Number.NEGATIVE_INFINITY, written.get(key) ?? Number.NEGATIVE_INFINITY);
      if (use.now - last < intervalMs) return;
      written.set(key, use.now);
      const writing = write(key, use).finally(() => running.delete(writing));
      running.add(writing);
    },
    close: async () => {
      await Promise.all(running);
    },
  };
}
