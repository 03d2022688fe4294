// The rights that the operations on residents need.

import type { OperationAccess } from '../../http/operation.ts';
import type { Permission } from '../../permissions/matrix.ts';
import type { ResidentCommand } from './rules/commands.ts';

// Whoever changes a resident is answered the whole workspace.
const readPermissions: readonly Permission[] = ['Bank.Read', 'User.Read'];

export const residentsReadAccess: OperationAccess = {
  tabs: ['Users2'],
  permissions: readPermissions,
  grantLevel: 'location',
};

export const residentCreateAccess: OperationAccess = {
  ...residentsReadAccess,
  permissions: [...readPermissions, 'User.Create'],
  grantLevel: 'bank',
};

export const residentWriteAccess: OperationAccess = {
  ...residentsReadAccess,
  permissions: [...readPermissions, 'User.Write'],
  grantLevel: 'bank',
};

/** Answers the code alone. */
export const activationAccess: OperationAccess = {
  tabs: ['Users2'],
  permissions: ['User.Create'],
  grantLevel: 'bank',
};

/** A new code is as good as a new resident. */
export const residentCommandAccess = (command: ResidentCommand): OperationAccess =>
  command === 'RenewActivation' ? residentCreateAccess : residentWriteAccess;
