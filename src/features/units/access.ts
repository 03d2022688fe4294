// The access that the operations on units declare. GetUnitGroup also uses it, to say which settings a caller may write.

import type { OperationAccess } from '../../http/operations/operation.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];

export const unitReadAccess: OperationAccess = { tabs: anyTab, permissions: readPermissions, grantLevel: 'location' };
export const setUnitSettingAccess: OperationAccess = {
  ...unitReadAccess,
  permissions: [...readPermissions, 'Unit.Write'],
};
