// The rights that the operations on bookings need.

import type { OperationAccess } from '../../http/operations/operation.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'];

export const bookingsReadAccess: OperationAccess = {
  tabs: ['Bookings1'],
  permissions: readPermissions,
  grantLevel: 'location',
};

export const bookingCommandAccess: OperationAccess = {
  ...bookingsReadAccess,
  permissions: [...readPermissions, 'Unit.Write'],
};

export const bookingRulesAccess: OperationAccess = {
  tabs: anyTab,
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'],
  grantLevel: 'location',
};
