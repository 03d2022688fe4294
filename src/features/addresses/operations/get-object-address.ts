// GetObjectAddress: reads the address of a bank, location, unit or resident.

import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { accessForValue } from '../../../http/operations/operation-properties.ts';
import { addressWriteAccess } from '../access.ts';
import { toObjectAddress } from '../answers.ts';
import type { AddressKid } from '../rules/address-kid.ts';
import { requireAddressObject, requireGrantedObject } from '../require-address-object.ts';
import type { ObjectAddress } from '../schemas.ts';

export async function getObjectAddress(context: ManagerContext, kid: AddressKid): Promise<ObjectAddress> {
  const granted = requireGrantedObject(context.scope, kid);
  const object = await context.read((db) => requireAddressObject(db, granted, context.now));
  const canWrite = isAuthorized(accessForValue(addressWriteAccess, kid.type), context.principal);
  return toObjectAddress(object, 'Unchanged', canWrite);
}
