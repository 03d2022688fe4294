// The roles, areas and flags of permissions, in the reader's words.

import type { ManagerPermissions, ManagerRole, PermissionFlag } from '../api/operations.ts';
import type { TextKey, Translate } from '../language/catalogue.ts';

const roles: Readonly<Record<ManagerRole, TextKey>> = {
  Reader: 'role.reader',
  Operator: 'role.operator',
  Administrator: 'role.administrator',
  Support: 'role.support',
  None: 'state.none',
  Custom: 'role.custom',
};

/** Later versions of the service may have more roles. */
export function nameOfRole(role: string, t: Translate): string {
  const key = (roles as Readonly<Record<string, TextKey>>)[role];
  return key === undefined ? role : t(key);
}

export const areaTexts: Readonly<Record<keyof ManagerPermissions, TextKey>> = {
  Bank: 'nav.banks',
  Location: 'bank.locations',
  Unit: 'word.units',
  User: 'bank.residents',
  Installer: 'nav.installers',
  Managers: 'nav.managers',
  Service: 'nav.services',
};

export const flagTexts: Readonly<Record<PermissionFlag, TextKey>> = {
  Read: 'right.read',
  Write: 'right.write',
  Create: 'right.create',
};
