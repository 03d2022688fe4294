// The rights that the operations on held lines need.

import type { OperationAccess } from '../../http/operations/operation.ts';

export const heldLinesReadAccess: OperationAccess = {
  tabs: ['Account2', 'Services1'],
  permissions: ['Bank.Read', 'Unit.Read'],
  grantLevel: 'location',
};

export const heldLinesWriteAccess: OperationAccess = {
  ...heldLinesReadAccess,
  permissions: ['Bank.Read', 'Unit.Read', 'Bank.Write'],
  grantLevel: 'bank',
};
