// Changes a manager's permissions in one transaction: whose rights count is read in it, after the lock of all rights.

import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../http/context/operation-context.ts';
import { formatKid, type KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { requireWholeTenant } from '../../permissions/coverage.ts';
import { listPermissions, type Permission } from '../../permissions/matrix.ts';
import { appendAudit, lockAuditChain } from '../audit/queries/append-audit.ts';
import { createManagerActor } from '../audit/rules/audit-actor.ts';
import { readManagerRights } from '../credentials/queries/manager-rights.ts';
import { lockManagerRights } from '../credentials/queries/rights-lock.ts';
import { readManagerDetail, requireManager, type StoredManager } from './manager-detail.ts';
import { hasAdministrator, isSoleTenantWide } from './queries/administrators.ts';
import { changeRights } from './queries/write-rights.ts';
import { comparePermissions, mayEdit, requireHeld } from './rules/permission-changes.ts';
import type { ManagerDetail } from './schemas.ts';

export type PermissionChangeInput = {
  readonly managerKid: KidOf<'manager'>;
  readonly expectedRevision: string;
  /** The permissions afterwards, out of those before. */
  readonly change: (current: ReadonlySet<Permission>) => ReadonlySet<Permission>;
};

/** Returns the manager as it is afterwards. */
export function changePermissions(
  context: ManagerContext,
  { managerKid: { managerId }, expectedRevision, change }: PermissionChangeInput,
): Promise<WriteAnswer<ManagerDetail>> {
  return context.write({
    grant: requireWholeTenant,
    lock: async (db) => {
      await lockAuditChain(db);
      await lockManagerRights(db);
    },
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
  { principal: { managerId: editorId } }: ManagerContext,
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
  // The editor as the transaction sees the editor, not as the request did.
  const editor = await readManagerRights(db, context.principal.managerId);
  requireHeld(permissions, editor.permissions);
  if (!(await changeRights(db, tenant, row, { permissions }))) throw new Problem('manager-conflict');
  if (!(await hasAdministrator(db, tenant))) throw new Problem('last-administrator');
  await appendAudit(db, createManagerActor(context), {
    object: formatKid({ type: 'manager', tenant: tenant.tenant, managerId: row.manager_id }),
    before: { permissions: listPermissions(rights.permissions) },
    after: { permissions: listPermissions(wanted) },
  });
}
