// The KIDs of objects that have an address.

import type { KidOf } from '../../../lib/kid.ts';

export const addressKidTypes = ['bank', 'location', 'unit', 'user'] as const;
export type AddressKidType = (typeof addressKidTypes)[number];
export type AddressKid = KidOf<AddressKidType>;
