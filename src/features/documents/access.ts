// The access that all operations on documents declare.

import type { OperationAccess } from '../../http/operation.ts';

/** One of the Tabs is enough. */
export const documentAccess: OperationAccess = {
  tabs: ['WashDoc1', 'WashDoc3', 'WashDoc2'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'],
  grantLevel: 'location',
};
