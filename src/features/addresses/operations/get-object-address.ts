// GetObjectAddress: reads the address of a bank, location, unit or resident.

import { isAuthorized } from '../../../http/context/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { accessForValue } from '../../../http/operation-properties.ts';
import { VariantResult } from '../../../http/send-result.ts';
import { addressWriteAccess } from '../access.ts';
import { toObjectAddress } from '../address-item.ts';
import type { AddressKid } from '../address-kid.ts';
import { requireAddressObject, requireGrantedObject } from '../address-object.ts';
import type { ObjectAddress } from '../schemas.ts';

export async function getObjectAddress(
  context: ManagerContext,
  kid: AddressKid,
): Promise<ObjectAddress | VariantResult> {
  const granted = requireGrantedObject(context.scope, kid);
  const object = await context.read((db) => requireAddressObject(db, granted, context.now));
  const canWrite = isAuthorized(accessForValue(addressWriteAccess, kid.type), context.principal);
  const answer = toObjectAddress(object, 'Unchanged', canWrite);
  // The revision does not turn with the rights.
  return canWrite ? answer : new VariantResult(answer, 'read-only');
}
