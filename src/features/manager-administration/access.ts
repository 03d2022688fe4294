// The rights that the operations on managers need.

import type { OperationAccess } from '../../http/operations/operation.ts';

export const managersReadAccess = {
  tabs: ['Managers1'],
  permissions: ['Managers.Read'],
  grantLevel: 'tenant',
} as const satisfies OperationAccess;

export const managersWriteAccess = {
  ...managersReadAccess,
  permissions: [...managersReadAccess.permissions, 'Managers.Write'],
} as const satisfies OperationAccess;

/** What creates and changes many managers at once. */
export const managersImportAccess = {
  ...managersReadAccess,
  permissions: ['Managers.Read', 'Managers.Write', 'Managers.Create'],
} as const satisfies OperationAccess;
