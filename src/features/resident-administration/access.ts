// The rights that the operations on residents need.

import type { OperationAccess } from '../../http/operations/operation.ts';
import type { Permission } from '../../permissions/matrix.ts';
import type { ResidentCommand } from './rules/allowed-commands.ts';

// A change of a resident returns the whole workspace.
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

/** Its answer has only the code. */
export const activationAccess: OperationAccess = { tabs: ['Users2'], permissions: ['User.Create'], grantLevel: 'bank' };

/** A new code gives access to an account, as creating a resident does. */
export const residentCommandAccess = (command: ResidentCommand): OperationAccess =>
  command === 'RenewActivation' ? residentCreateAccess : residentWriteAccess;

/** What creates and changes many residents at once. */
export const residentImportAccess: OperationAccess = {
  ...residentsReadAccess,
  permissions: [...readPermissions, 'User.Create', 'User.Write'],
  grantLevel: 'bank',
};

/** What reads all residents of a bank. */
export const allResidentsReadAccess: OperationAccess = { ...residentsReadAccess, grantLevel: 'bank' };
