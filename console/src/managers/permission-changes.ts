// What changes between two permission matrices, and in which order it is done.

import type { ManagerPermissions, PermissionArea, PermissionFlag, PermissionRole } from '../api/operations.ts';
import { areaTexts, flagTexts } from './roles.ts';

export const permissionAreas = Object.keys(areaTexts) as PermissionArea[];
export const permissionFlags = Object.keys(flagTexts) as PermissionFlag[];

/** The flags of each area, as the fields of a command have them. */
export type Matrix = Readonly<Record<PermissionArea, readonly string[]>>;

export type PermissionChange = {
  readonly area: PermissionArea;
  readonly flag: PermissionFlag;
  readonly isGranted: boolean;
};

/** What is granted goes first, and the right to administer managers last: it is needed for the others. */
export function comparePermissions(before: Matrix, after: Matrix): readonly PermissionChange[] {
  const differing = permissionAreas.flatMap((area) =>
    permissionFlags
      .filter((flag) => before[area].includes(flag) !== after[area].includes(flag))
      .map((flag) => ({ area, flag, isGranted: after[area].includes(flag) })),
  );
  const turnOf = ({ area, isGranted }: PermissionChange): number => (isGranted ? 0 : area === 'Managers' ? 2 : 1);
  return differing.toSorted((one, other) => turnOf(one) - turnOf(other));
}

/** The flags of an area, in their order, after one of them was granted or withdrawn. */
export const withFlag = (held: readonly string[], flag: PermissionFlag, isGranted: boolean): readonly string[] =>
  permissionFlags.filter((each) => (each === flag ? isGranted : held.includes(each)));

/** What both have: what the reader does not have themselves, they leave as it is. */
export const withAllOf = (held: readonly string[], own: readonly string[]): readonly string[] =>
  permissionFlags.filter((flag) => held.includes(flag) || own.includes(flag));

type Role = { readonly name: PermissionRole; readonly permissions: ManagerPermissions };

/** The role that has exactly these permissions. */
export const findRole = (roles: readonly Role[], matrix: Matrix): Role | undefined =>
  roles.find(({ permissions }) => comparePermissions(permissions, matrix).length === 0);
