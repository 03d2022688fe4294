// SetManagerPermission: grants or withdraws one permission of a manager.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { Area, Flag } from '../../../permissions/matrix.ts';
import { changePermissions, type PermissionChangeInput } from '../change-permissions.ts';
import { withPermission } from '../rules/permission-changes.ts';
import type { ManagerDetail } from '../schemas.ts';

type SetManagerPermissionInput = Omit<PermissionChangeInput, 'change'> & {
  readonly area: Area;
  readonly flag: Flag;
  readonly granted: boolean;
};

/** Returns the changed manager. */
export function setManagerPermission(
  context: ManagerContext,
  { area, flag, granted, ...input }: SetManagerPermissionInput,
): Promise<WriteAnswer<ManagerDetail>> {
  return changePermissions(context, {
    ...input,
    change: (current) => withPermission(current, `${area}.${flag}`, granted),
  });
}
