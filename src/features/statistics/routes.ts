// GetPublicStatus: whether a tenant's service is well, for anyone who asks.

import { Type } from 'typebox';
import { choice, closed, instant, kidText } from '../../http/fields.ts';
import { publicOperation, type Operation } from '../../http/operation.ts';
import { utcText } from '../../lib/ms2000.ts';
import { version } from '../../version.ts';
import type { DatabaseAccessIndicator } from '../sessions/database-access.ts';

const PublicStatus = closed({
  tenantKid: kidText('tenant'),
  environment: choice(['production', 'beta'], 'The environment of the request host.'),
  version: Type.String({ description: 'Version of the service.' }),
  status: choice(['ok', 'degraded'], 'degraded: the tenant’s database cannot be written at the moment.'),
  measuredAtUtc: instant('When this was answered; the state itself may be half a minute old.'),
});

export function statisticsRoutes({
  databaseAccess,
}: {
  readonly databaseAccess: DatabaseAccessIndicator;
}): Operation[] {
  return [
    publicOperation({
      id: 'GetPublicStatus',
      method: 'GET',
      path: '/api/v1/public/status',
      documents: ['public'],
      group: 'Public',
      summary: 'Whether the service of this tenant is well',
      answer: PublicStatus,
      deadlineMs: 10_000,
      storageFree: true,
      run: async (_input, door) => ({
        tenantKid: door.tenant.name,
        environment: door.environment,
        version,
        status: (await databaseAccess.of(door.tenant.name)) === 'ReadWrite' ? 'ok' : 'degraded',
        measuredAtUtc: utcText(door.now()),
      }),
    }),
  ];
}
