// GetPublicStatus: reports whether a tenant's database can be written to.

import type { DatabaseAccessIndicator } from '../../../database/checks/database-access.ts';
import type { OperationContext } from '../../../http/context/operation-context.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { version } from '../../../version.ts';
import type { PublicStatus } from '../schemas.ts';

export async function getPublicStatus(
  { tenant, environment, now }: OperationContext,
  { databaseAccess }: { readonly databaseAccess: DatabaseAccessIndicator },
): Promise<PublicStatus> {
  return {
    tenantKid: tenant.name,
    environment,
    version,
    status: (await databaseAccess.getAccess(tenant.name)) === 'ReadWrite' ? 'ok' : 'degraded',
    measuredAtUtc: formatUtc(now),
  };
}
