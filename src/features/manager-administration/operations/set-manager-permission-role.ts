// SetManagerPermissionRole: gives a manager exactly the permissions of a role.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { permissionsOfRole, type PermissionRole } from '../../../permissions/roles.ts';
import { changePermissions, type PermissionChangeInput } from '../change-permissions.ts';
import type { ManagerDetail } from '../schemas.ts';

type SetManagerPermissionRoleInput = Omit<PermissionChangeInput, 'change'> & { readonly role: PermissionRole };

/** Returns the changed manager. */
export function setManagerPermissionRole(
  context: ManagerContext,
  { role, ...input }: SetManagerPermissionRoleInput,
): Promise<WriteAnswer<ManagerDetail>> {
  return changePermissions(context, { ...input, change: () => permissionsOfRole(role) });
}
