// Declares GetPublicStatus.

import type { DatabaseAccessIndicator } from '../../database/database-access.ts';
import { definePublicOperation, type Operation } from '../../http/operation.ts';
import { getPublicStatus } from './operations/get-public-status.ts';
import { PublicStatus } from './schemas.ts';

export function statisticsRoutes(dependencies: { readonly databaseAccess: DatabaseAccessIndicator }): Operation[] {
  return [
    definePublicOperation({
      id: 'GetPublicStatus',
      method: 'GET',
      path: '/api/v1/public/status',
      documents: ['public'],
      group: 'Public',
      summary: 'Health of this tenant’s service',
      description: 'Whether the tenant’s database can be read and written, as measured at most 30 seconds ago.',
      response: PublicStatus,
      deadlineMs: 10_000,
      storageFree: true,
      run: (_input, context) => getPublicStatus(context, dependencies),
    }),
  ];
}
