// Changes a manager's permissions in one transaction. The rights that decide it are read after all rights are locked.

import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../http/context/operation-context.ts';
import { formatKid, type KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { requireWholeTenant } from '../../permissions/coverage.ts';
import { listPermissions, type Permission } from '../../permissions/matrix.ts';
import { appendAudit, tenantAuditLock } from '../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../audit/rules/audit-context.ts';
import { readManagerRights } from '../managers/queries/manager-rights.ts';
import { managerRightsLock } from '../managers/queries/rights-lock.ts';
import { endReadAccess } from '../services/change-service.ts';
import { allServicesLock } from '../services/queries/write-service.ts';
import { readManagerDetail, requireManager, type StoredManager } from './read-manager-detail.ts';
import { hasAdministrator, isSoleTenantWide } from './queries/administrators.ts';
import { changeRights } from './queries/write-rights.ts';
import {
  comparePermissions,
  mayEdit,
  requireHeldPermissions,
  type PermissionDifference,
} from './rules/permission-changes.ts';
import type { ManagerDetail } from './schemas.ts';

export type PermissionChangeInput = {
  readonly managerKid: KidOf<'manager'>;
  readonly expectedRevision: string;
  /** Computes the new permissions from the present ones. */
  readonly change: (current: ReadonlySet<Permission>) => ReadonlySet<Permission>;
};

/** Returns the changed manager. */
export function changePermissions(
  context: ManagerContext,
  { managerKid: { managerId }, expectedRevision, change }: PermissionChangeInput,
): Promise<WriteAnswer<ManagerDetail>> {
  return context.write({
    grant: requireWholeTenant,
    locks: (tenant) => [tenantAuditLock(), managerRightsLock(), allServicesLock(tenant)],
    requireObject: (db, tenant) => requireManager(db, tenant, managerId),
    work: async (db, manager) => {
      await requireEditable(db, context, manager);
      if (expectedRevision !== String(manager.row.revision)) throw new Problem('manager-conflict');
      await storePermissions(db, context, manager, change(manager.rights.permissions));
      return readManagerDetail(db, context, await requireManager(db, manager.tenant, managerId));
    },
  });
}

async function requireEditable(
  db: WriteDb,
  { principal: { id: editorId } }: ManagerContext,
  { tenant, row: { manager_id: managerId } }: StoredManager,
): Promise<void> {
  const isSole = editorId === managerId && (await isSoleTenantWide(db, tenant, editorId));
  if (!mayEdit({ editorId, managerId, isSole })) throw new Problem('own-permissions');
}

async function storePermissions(
  db: WriteDb,
  context: ManagerContext,
  { tenant, row, rights }: StoredManager,
  wanted: ReadonlySet<Permission>,
): Promise<void> {
  const permissions = comparePermissions(rights.permissions, wanted);
  if (permissions.granted.length + permissions.withdrawn.length === 0) return;
  await requireHeld(db, context, row, permissions);
  if (!(await changeRights(db, tenant, row, { permissions }))) throw new Problem('manager-conflict');
  if (!(await hasAdministrator(db, tenant))) throw new Problem('last-administrator');
  const actor = createManagerAuditContext(context);
  await appendAudit(db, actor, {
    object: formatKid({ type: 'manager', tenant: tenant.tenant, managerId: row.manager_id }),
    before: { permissions: listPermissions(rights.permissions) },
    after: { permissions: listPermissions(wanted) },
  });
  await endReadAccess(db, tenant, { managerId: row.manager_id, rights: { ...rights, permissions: wanted } }, actor);
}

/** Only the sole manager edits their own permissions, and can also give back to themselves what they withdrew. */
async function requireHeld(
  db: WriteDb,
  { principal: { id: editorId } }: ManagerContext,
  { manager_id: managerId }: StoredManager['row'],
  permissions: PermissionDifference,
): Promise<void> {
  if (editorId === managerId) return;
  // The rights that the request read can be outdated.
  const editor = await readManagerRights(db, editorId);
  requireHeldPermissions(permissions, editor.permissions);
}
