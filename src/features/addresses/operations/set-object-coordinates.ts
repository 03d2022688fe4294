// SetObjectCoordinates: stores coordinates that a person has chosen.

import type { Static } from 'typebox';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { toObjectAddress } from '../answers.ts';
import { requireExpectedRevision } from '../change-address.ts';
import { withManualCoordinates } from '../rules/provenance.ts';
import { saveAddress } from '../change-address.ts';
import type { AddressParams, ObjectAddress, ObjectCoordinatesUpdate } from '../schemas.ts';
import { addressWrite } from '../change-address.ts';

type SetObjectCoordinatesInput = Static<typeof AddressParams> & Static<typeof ObjectCoordinatesUpdate>;

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
