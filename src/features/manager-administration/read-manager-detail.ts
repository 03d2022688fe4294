// Reads the details of a manager: rights, roles, and whether the caller can edit the permissions.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { Problem } from '../../lib/problem.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import { groupByArea } from '../../permissions/matrix.ts';
import type { Rights } from '../../permissions/needs.ts';
import { permissionsOfRole, roleNames } from '../../permissions/roles.ts';
import { readManagerRights } from '../managers/queries/manager-rights.ts';
import { toManager } from './answers.ts';
import { isSoleTenantWide } from './queries/administrators.ts';
import { findManager, type ManagerRow } from './queries/managers.ts';
import { mayEdit } from './rules/permission-changes.ts';
import { listScopes } from './rules/granted-scopes.ts';
import type { ManagerDetail } from './schemas.ts';

export type StoredManager = { readonly tenant: WholeTenant; readonly row: ManagerRow; readonly rights: Rights };

/** Throws 404 if there is no such manager. */
export async function requireManager(db: Db, tenant: WholeTenant, managerId: number): Promise<StoredManager> {
  const [row, rights] = await Promise.all([findManager(db, tenant, managerId), readManagerRights(db, managerId)]);
  if (row === undefined) throw new Problem('not-found');
  return { tenant, row, rights };
}

export async function readManagerDetail(
  db: Db,
  context: ManagerContext,
  { tenant, row, rights }: StoredManager,
): Promise<ManagerDetail> {
  return {
    manager: toManager(row, context),
    tabs: [...rights.tabs].toSorted(),
    permissions: groupByArea(rights.permissions),
    scopes: listScopes(rights.grants, tenant.tenant),
    roles: roleNames.map((name) => ({ name, permissions: groupByArea(permissionsOfRole(name)) })),
    canEdit: await canEdit(db, context, { tenant, row }),
    permissionRevision: String(row.revision),
  };
}

async function canEdit(
  db: Db,
  { principal }: ManagerContext,
  { tenant, row: { manager_id: managerId } }: Pick<StoredManager, 'tenant' | 'row'>,
): Promise<boolean> {
  const { id: editorId, permissions } = principal;
  if (!permissions.has('Managers.Write')) return false;
  const isSole = editorId === managerId && (await isSoleTenantWide(db, tenant, editorId));
  return mayEdit({ editorId, managerId, isSole });
}
