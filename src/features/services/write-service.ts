// The steps that all writes of a service have in common: lock, comparison of the revision, change, and history.

import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { formatKid } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { appendAudit, type AuditRecord } from '../audit/queries/append-audit.ts';
import { createManagerActor } from '../audit/rules/audit-actor.ts';
import type { GrantedService } from './granted-service.ts';
import type { ServiceDetailRow, ServiceRow } from './queries/services.ts';
import {
  insertServiceHistory,
  updateService,
  type ServiceChange,
  type ServiceColumns,
} from './queries/write-service.ts';

/** Throws 409 if the caller knows another revision. */
export function requireRevision({ revision }: ServiceRow, expectedRevision: string): void {
  if (expectedRevision !== String(revision)) throw new Problem('service-profile-conflict');
}

export type FoundService = { readonly service: GrantedService; readonly row: ServiceDetailRow };

type ServiceWrite = Pick<ServiceChange, 'field' | 'old_value' | 'new_value'> & {
  readonly columns: ServiceColumns;
  /** For the audit log. */
  readonly recorded: Pick<AuditRecord, 'before' | 'after'>;
};

/** Stores a change under the next revision, with its row of history and its entry of the audit log. */
export async function changeService(
  db: WriteDb,
  context: ManagerContext,
  { service, row }: FoundService,
  { columns, recorded, ...change }: ServiceWrite,
): Promise<void> {
  if (!(await updateService(db, service, row, columns))) throw new Problem('service-profile-conflict');
  const { principal, now } = context;
  const revision = row.revision + 1;
  await insertServiceHistory(db, service, { revision, changed_at: now, editor_id: principal.managerId, ...change });
  const object = formatKid({ type: 'service', ...service });
  await appendAudit(db, createManagerActor(context), { object, ...recorded });
}
