// The rights that the operations on import profiles need.

import type { OperationAccess } from '../../http/operations/operation.ts';
import { anyTab } from '../../permissions/matrix.ts';

/** What every import needs; what the kind of an import needs besides is declared with the imports. */
export const importsAccess: OperationAccess = { tabs: anyTab, permissions: ['Bank.Read'], grantLevel: 'bank' };

/**
 * A profile decides what a file of any bank means. So whoever sets one needs what the most common import needs, for the
 * whole tenant: a manager of a single bank could otherwise change the residents of another one. An import by the profile
 * still needs the rights of its kind.
 */
export const profileWriteAccess: OperationAccess = {
  tabs: anyTab,
  permissions: ['Bank.Read', 'User.Create', 'User.Write'],
  grantLevel: 'tenant',
};
