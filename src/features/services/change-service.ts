// The steps that all writes of a service have in common: lock, comparison of the revision, change, and history.

import type { WriteDb } from '../../database/db.ts';
import { requireLock, type Lock } from '../../database/locks.ts';
import { formatKid } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { appendAudit, tenantAuditLock, type AuditRecord } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import type { GrantedService, StoredService } from './require-service.ts';
import { readService, type ServiceDetailRow, type ServiceRow } from './queries/services.ts';
import {
  insertServiceHistory,
  serviceLock,
  updateService,
  allServicesLock,
  listServicesOf,
  replaceGrantedOperations,
  type ServiceChange,
  type ServiceColumns,
} from './queries/write-service.ts';
import { isAuthorized } from '../../http/requests/authorize.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import type { Rights } from '../../permissions/needs.ts';
import { serviceGrantAccess, serviceWriteAccess } from './access.ts';
import { columnsOfAccess, noAccess, recordAccess, toReadAccess } from './rules/read-access.ts';

/** The locks of every write of a service. */
export const serviceLocks = (service: GrantedService): readonly Lock[] => [tenantAuditLock(), serviceLock(service)];

/** Throws 409 if the caller knows another revision. */
export function requireServiceRevision({ revision }: ServiceRow, expectedRevision: string): void {
  if (expectedRevision !== String(revision)) throw new Problem('service-profile-conflict');
}

export type FoundService = { readonly service: GrantedService; readonly row: ServiceDetailRow };

type ServiceWrite = Pick<ServiceChange, 'field' | 'old_value' | 'new_value'> & {
  readonly columns: ServiceColumns;
  /** For the audit log. */
  readonly recorded: Pick<AuditRecord, 'before' | 'after'>;
};

/** In the history an operator has the number 0. */
const operatorId = 0;

/** Stores a change under the next revision, with its row of history and its entry of the audit log. */
export async function changeService(
  db: WriteDb,
  actor: AuditContext,
  { service, row }: { readonly service: StoredService; readonly row: ServiceRow },
  { columns, recorded, ...change }: ServiceWrite,
): Promise<void> {
  if (!(await updateService(db, service, row, columns))) throw new Problem('service-profile-conflict');
  const edit = { revision: row.revision + 1, changed_at: actor.now, editor_id: actor.id ?? operatorId };
  await insertServiceHistory(db, service, { ...edit, ...change });
  const { tenant, serviceId } = service;
  await appendAudit(db, actor, { object: formatKid({ type: 'service', tenant, serviceId }), ...recorded });
}

type ChangedManager = {
  readonly managerId: number;
  /** What the manager may do from now on. */
  readonly rights: Rights;
};

/**
 * Ends the read access of the keys that a manager made or gave operations, and may no longer, in a transaction that
 * changes the manager. Appends to the audit log. Needs the lock of all services: a manager who makes a key or grants
 * access at the same time either still may, or finds that they no longer may.
 */
export async function endReadAccess(
  db: WriteDb,
  tenant: WholeTenant,
  { managerId, rights }: ChangedManager,
  actor: AuditContext,
): Promise<void> {
  requireLock(db, allServicesLock(tenant));
  const asMaker = !isAuthorized(serviceWriteAccess, rights);
  const asGranter = !isAuthorized(serviceGrantAccess, rights);
  for (const service of await listServicesOf(db, tenant, managerId, { asMaker, asGranter })) {
    const row = await readService(db, service);
    const before = toReadAccess(row);
    await replaceGrantedOperations(db, service, noAccess.operations);
    await changeService(
      db,
      actor,
      { service, row },
      {
        field: 'ReadAccess',
        old_value: String(before.operations.length),
        new_value: '0',
        columns: columnsOfAccess(noAccess, actor.now),
        recorded: { before: recordAccess(service.tenant, before), after: recordAccess(service.tenant, noAccess) },
      },
    );
  }
}
