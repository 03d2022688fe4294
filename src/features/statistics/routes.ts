// GetPublicStatus: whether a tenant's service is well, for anyone who asks.

import { Type } from 'typebox';
import { stringEnum, closedObject, instant, kidOutput } from '../../http/schema-types.ts';
import { definePublicOperation, type Operation } from '../../http/operation.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { version } from '../../version.ts';
import type { DatabaseAccessIndicator } from '../../database/database-access.ts';

const PublicStatus = closedObject({
  tenantKid: kidOutput('tenant'),
  environment: stringEnum(['production', 'beta'], 'The environment of the request host.'),
  version: Type.String({ description: 'Version of the service.' }),
  status: stringEnum(['ok', 'degraded'], 'degraded: the tenant’s database cannot be written at the moment.'),
  measuredAtUtc: instant('When this was answered; the state itself may be half a minute old.'),
});

export function statisticsRoutes({
  databaseAccess,
}: {
  readonly databaseAccess: DatabaseAccessIndicator;
}): Operation[] {
  return [
    definePublicOperation({
      id: 'GetPublicStatus',
      method: 'GET',
      path: '/api/v1/public/status',
      documents: ['public'],
      group: 'Public',
      summary: 'Whether the service of this tenant is well',
      response: PublicStatus,
      deadlineMs: 10_000,
      storageFree: true,
      run: async (_input, context) => ({
        tenantKid: context.tenant.name,
        environment: context.environment,
        version,
        status: (await databaseAccess.getAccess(context.tenant.name)) === 'ReadWrite' ? 'ok' : 'degraded',
        measuredAtUtc: formatUtc(context.now),
      }),
    }),
  ];
}
