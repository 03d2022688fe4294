// The rights that the operations on addresses need, for each type of object.

import type { OperationAccess } from '../../http/operations/operation.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';
import type { Needs } from '../../permissions/needs.ts';
import type { AddressKidType } from './rules/address-kid.ts';

const bankRead: Permission = 'Bank.Read';

const readNeeds: Readonly<Record<AddressKidType, Needs>> = {
  bank: { tabs: anyTab, permissions: [bankRead], grantLevel: 'bank' },
  location: { tabs: anyTab, permissions: [bankRead, 'Location.Read'], grantLevel: 'location' },
  unit: { tabs: anyTab, permissions: [bankRead, 'Location.Read', 'Unit.Read'], grantLevel: 'location' },
  user: { tabs: ['Users2'], permissions: [bankRead, 'User.Read'], grantLevel: 'bank' },
};

const addWrite = (needs: Needs, write: Permission): Needs => ({ ...needs, permissions: [...needs.permissions, write] });

const writeNeeds: Readonly<Record<AddressKidType, Needs>> = {
  bank: addWrite(readNeeds.bank, 'Bank.Write'),
  location: addWrite(readNeeds.location, 'Location.Write'),
  unit: addWrite(readNeeds.unit, 'Unit.Write'),
  user: addWrite(readNeeds.user, 'User.Write'),
};

const createAccess = (byKidType: Readonly<Record<AddressKidType, Needs>>): OperationAccess => ({
  tabs: anyTab,
  permissions: [bankRead],
  grantLevel: 'location',
  byParameter: { parameter: 'kid', byKidType },
});

export const addressReadAccess = createAccess(readNeeds);
export const addressWriteAccess = createAccess(writeNeeds);
