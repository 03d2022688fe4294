// GetAuditLog: lists who changed or exported what, newest first.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { listAuditEntries, type AuditPosition } from '../queries/audit-page.ts';
import { parseAuditQuery, type AuditQuery } from '../rules/audit-criteria.ts';
import { toAuditEntry } from '../answers.ts';
import type { AuditLog } from '../schemas.ts';

type GetAuditLogInput = AuditQuery & { readonly limit: number; readonly cursor?: string };

export async function getAuditLog(context: ManagerContext, query: GetAuditLogInput): Promise<AuditLog> {
  const criteria = parseAuditQuery(context.scope, query);
  const request = await openPage<AuditPosition>(context, { ...query, offset: 0 });
  const slice = { ...request, limit: query.limit + 1 };
  const entries = await context.read((db) => listAuditEntries(db, criteria, slice));
  const { items, nextCursor } = toPage(entries, request, ({ at, chain, sequence }) => [at, chain, sequence]);
  return { items: items.map((entry) => toAuditEntry(entry, context.tenant.name)), nextCursor };
}
