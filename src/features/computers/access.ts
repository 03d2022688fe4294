// The rights that the operations on computers need.

import type { OperationAccess } from '../../http/operations/operation.ts';
import type { Permission } from '../../permissions/matrix.ts';

const readPermissions: readonly Permission[] = ['Service.Read', 'Unit.Read'];

export const computersReadAccess: OperationAccess = {
  tabs: ['Services1'],
  permissions: readPermissions,
  grantLevel: 'location',
};

export const computerCreateAccess: OperationAccess = {
  ...computersReadAccess,
  permissions: [...readPermissions, 'Service.Create', 'Unit.Write'],
  grantLevel: 'bank',
};

export const computerWriteAccess: OperationAccess = {
  ...computersReadAccess,
  permissions: [...readPermissions, 'Service.Write', 'Unit.Write'],
  grantLevel: 'bank',
};
