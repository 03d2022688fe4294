// SetObjectCoordinateProvenance: stores where the coordinates are from, without changing the coordinates.

import type { Static } from 'typebox';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import type { Problem } from '../../../lib/problem.ts';
import { toObjectAddress } from '../answers.ts';
import { requireExpectedRevision } from '../change-address.ts';
import { withProvenance } from '../rules/provenance.ts';
import { saveAddress } from '../change-address.ts';
import type { AddressParams, ObjectAddress, ObjectCoordinateProvenanceUpdate } from '../schemas.ts';
import { addressWrite } from '../change-address.ts';

type SetObjectCoordinateProvenanceInput = Static<typeof AddressParams> &
  Static<typeof ObjectCoordinateProvenanceUpdate>;

export function setObjectCoordinateProvenance(
  context: ManagerContext,
  { kid, value, expectedRevision }: SetObjectCoordinateProvenanceInput,
): Promise<WriteAnswer<ObjectAddress>> {
  return context.write(
    addressWrite(context, kid, async (db, object) => {
      requireExpectedRevision(object, expectedRevision);
      const state = withProvenance(object.row, value);
      if (state === undefined) throw createNoCoordinatesProblem();
      return toObjectAddress(await saveAddress(db, context, object, state), 'ProvenanceSaved');
    }),
  );
}

const createNoCoordinatesProblem = (): Problem =>
  createFieldProblem('body.value', 'must be 0, 13, 20 or 30 while the object has no coordinates');
