// The steps that all writes of a service have in common: lock, comparison of the revision, change, and history.

import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { formatKid } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { appendAudit, lockAuditChain, type AuditRecord } from '../audit/queries/append-audit.ts';
import { createManagerActor, type AuditActor } from '../audit/rules/audit-actor.ts';
import type { GrantedService, StoredService } from './granted-service.ts';
import type { ServiceDetailRow, ServiceRow } from './queries/services.ts';
import {
  insertServiceHistory,
  lockService,
  updateService,
  type ServiceChange,
  type ServiceColumns,
} from './queries/write-service.ts';

/** The first statements of every write of a service. */
export async function lockServiceWrite(db: WriteDb, service: GrantedService): Promise<void> {
  await lockAuditChain(db);
  await lockService(db, service);
}

/** Throws 409 if the caller knows another revision. */
export function requireRevision({ revision }: ServiceRow, expectedRevision: string): void {
  if (expectedRevision !== String(revision)) throw new Problem('service-profile-conflict');
}

export type FoundService = { readonly service: GrantedService; readonly row: ServiceDetailRow };

export type ServiceWrite = Pick<ServiceChange, 'field' | 'old_value' | 'new_value'> & {
  readonly columns: ServiceColumns;
  /** For the audit log. */
  readonly recorded: Pick<AuditRecord, 'before' | 'after'>;
};

/** Stores a change under the next revision, with its row of history and its entry of the audit log. */
export async function changeService(
  db: WriteDb,
  context: ManagerContext,
  found: FoundService,
  change: ServiceWrite,
): Promise<void> {
  await storeServiceChange(db, createManagerActor(context), found, change);
}

/** In the history an operator, who is not known, is number 0. */
const operatorId = 0;

/** The same for whoever changes the service. */
export async function storeServiceChange(
  db: WriteDb,
  actor: AuditActor,
  { service, row }: { readonly service: StoredService; readonly row: ServiceRow },
  { columns, recorded, ...change }: ServiceWrite,
): Promise<void> {
  if (!(await updateService(db, service, row, columns))) throw new Problem('service-profile-conflict');
  const edit = { revision: row.revision + 1, changed_at: actor.now, editor_id: actor.id ?? operatorId };
  await insertServiceHistory(db, service, { ...edit, ...change });
  const { tenant, serviceId } = service;
  await appendAudit(db, actor, { object: formatKid({ type: 'service', tenant, serviceId }), ...recorded });
}
