// GetAuditLog: lists who changed or exported what, newest first.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { listAuditEntries } from '../queries/audit-page.ts';
import { parseAuditQuery, type AuditQuery } from '../rules/audit-criteria.ts';
import { formatAuditCursor } from '../rules/page-cursor.ts';
import { toAuditEntry } from '../answers.ts';
import type { AuditLog } from '../schemas.ts';

type GetAuditLogInput = AuditQuery & { readonly limit: number };

export async function getAuditLog(context: ManagerContext, { limit, ...query }: GetAuditLogInput): Promise<AuditLog> {
  const criteria = parseAuditQuery(context.scope, query);
  const entries = await context.read((db) => listAuditEntries(db, criteria, limit + 1));
  const page = entries.slice(0, limit);
  const last = entries.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((entry) => toAuditEntry(entry, context.tenant.name)),
    nextCursor: last === undefined ? null : formatAuditCursor(last),
  };
}
