// Provides the principals of services. Every request reads the stored access, so that a key replaced or access
// withdrawn on any replica takes effect with the next request.

import { hash } from 'node:crypto';
import type { Databases } from '../../../database/databases.ts';
import type { FindServiceInput, Principal, ServiceProvider } from '../../../http/context/principal.ts';
import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { Permission } from '../../../permissions/matrix.ts';
import { intersectRights } from '../../../permissions/shared-rights.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import { serviceGrantAccess, serviceWriteAccess } from '../access.ts';
import { createKeyUseRecorder } from './key-use-recorder.ts';
import { createKeyVerifier } from './key-verifier.ts';
import { findKeyAccess, type KeyAccess } from '../queries/key-access.ts';
import { isApiKeyShaped, parseApiKey } from '../rules/api-key.ts';
import { findServiceIdentity } from '../rules/service-catalogue.ts';

const readDeadlineMs = 5000;

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
      const read = { deadlineMs: readDeadlineMs };
      const access = await databases.forTenant(tenant).read(read, (db) => findKeyAccess(db, serviceId));
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
