// Decides which changes of permissions are allowed.

import { Problem } from '../../../lib/problem.ts';
import { permissions, type Permission } from '../../../permissions/matrix.ts';
import { notHeldReason } from '../../../permissions/needs.ts';

type Permissions = ReadonlySet<Permission>;

/** The permissions after one of them was granted or withdrawn; all others stay the same. */
export function withPermission(current: Permissions, permission: Permission, isGranted: boolean): Permissions {
  const changed = new Set(current);
  if (isGranted) changed.add(permission);
  else changed.delete(permission);
  return changed;
}

export type PermissionDifference = {
  readonly granted: readonly Permission[];
  readonly withdrawn: readonly Permission[];
};

/** In the order of the matrix. */
export const comparePermissions = (before: Permissions, after: Permissions): PermissionDifference => ({
  granted: permissions.filter((each) => after.has(each) && !before.has(each)),
  withdrawn: permissions.filter((each) => before.has(each) && !after.has(each)),
});

/** The first permission of a difference that an editor does not hold. */
export const findNotHeld = ({ granted, withdrawn }: PermissionDifference, held: Permissions): Permission | undefined =>
  [...granted, ...withdrawn].find((each) => !held.has(each));

/**
 * For changes of another manager. Throws 403 `forbidden` with the reason `not-held`, and names the first permission that
 * the editor does not hold. So a permission that is withdrawn still has a holder, who can grant it again.
 */
export function requireHeldPermissions(difference: PermissionDifference, held: Permissions): void {
  const missing = findNotHeld(difference, held);
  if (missing === undefined) return;
  throw new Problem('forbidden', {
    reason: notHeldReason,
    detail: `Nobody can grant or withdraw the permission ${missing} without holding it.`,
  });
}

type EditConditions = {
  readonly editorId: number;
  readonly managerId: number;
  /** Whether the editor is the only active manager with the whole tenant. */
  readonly isSole: boolean;
};

/** Managers can edit their own permissions only if nobody else can. */
export const mayEdit = ({ editorId, managerId, isSole }: EditConditions): boolean => editorId !== managerId || isSole;
