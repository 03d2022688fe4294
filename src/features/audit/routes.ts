// Declares GetAuditLog.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { getAuditLog } from './operations/get-audit-log.ts';
import { AuditLog, AuditLogQuery } from './schemas.ts';

export const auditRoutes = (): Operation[] => [
  defineManagerOperation({
    id: 'GetAuditLog',
    method: 'GET',
    path: '/api/v1/audit',
    openApiDocuments: ['portal'],
    group: 'Audit log',
    summary: 'List who changed or exported what',
    description:
      'Every login and logout, every write of a manager or a command, and every export, newest first. Entries are never changed or deleted. Filters can be combined; pages follow each other by `nextCursor`.',
    access: { tabs: ['Managers1'], permissions: ['Managers.Read'], grantLevel: 'tenant' },
    managersOnly: true,
    query: AuditLogQuery,
    response: jsonOf(AuditLog),
    deadlineMs: 10_000,
    run: ({ query }, context) => getAuditLog(context, query),
  }),
];
