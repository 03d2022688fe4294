// The predefined permission matrices as data. A manager has the role whose matrix is exactly the manager's permissions.

import { areas, permissions, type Area, type Permission } from './matrix.ts';

export const roleNames = ['Reader', 'Operator', 'Administrator', 'Support', 'None'] as const;
export type PermissionRole = (typeof roleNames)[number];

/** The name for permissions that belong to no role. */
export const customRole = 'Custom';

const readOf = (readable: readonly Area[]): Permission[] => readable.map((area): Permission => `${area}.Read`);
const writeOf = (writable: readonly Area[]): Permission[] => writable.map((area): Permission => `${area}.Write`);

const placesAndResidents: readonly Area[] = ['Bank', 'Location', 'Unit', 'User'];

const matrices: Readonly<Record<PermissionRole, readonly Permission[]>> = {
  Reader: readOf(areas),
  Operator: [...readOf(placesAndResidents), ...writeOf(placesAndResidents), 'User.Create'],
  Administrator: permissions,
  // Sees what people ask about, and nothing of who may do what.
  Support: readOf(areas.filter((area) => area !== 'Managers' && area !== 'Service')),
  None: [],
};

export const permissionsOfRole = (role: PermissionRole): ReadonlySet<Permission> => new Set(matrices[role]);

export function roleOf(granted: ReadonlySet<Permission>): PermissionRole | typeof customRole {
  return roleNames.find((role) => isSameSet(permissionsOfRole(role), granted)) ?? customRole;
}

const isSameSet = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean => a.size === b.size && a.isSubsetOf(b);
