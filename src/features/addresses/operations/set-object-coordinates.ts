// SetObjectCoordinates: stores coordinates that a person has chosen.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { Coordinates } from '../../../providers/geocoding/geocoder.ts';
import { toObjectAddress } from '../answers.ts';
import { requireExpectedRevision } from '../change-address.ts';
import type { AddressKid } from '../rules/address-kid.ts';
import { withManualCoordinates } from '../rules/provenance.ts';
import { saveAddress } from '../change-address.ts';
import type { ObjectAddress } from '../schemas.ts';
import { addressWrite } from '../change-address.ts';

type SetObjectCoordinatesInput = Coordinates & {
  readonly kid: AddressKid;
  readonly expectedRevision: string;
};

export function setObjectCoordinates(
  context: ManagerContext,
  { kid, expectedRevision, ...coordinates }: SetObjectCoordinatesInput,
): Promise<WriteAnswer<ObjectAddress>> {
  return context.write(
    addressWrite(context, kid, async (db, object) => {
      requireExpectedRevision(object, expectedRevision);
      const state = withManualCoordinates(object.row, coordinates);
      return toObjectAddress(await saveAddress(db, context, object, state), 'ManualCoordinatesSaved');
    }),
  );
}
