// SetMyManagerProfileField: changes one field of the manager's own profile.

import type { Static } from 'typebox';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { Problem } from '../../../lib/problem.ts';
import { answerProfile, changeProfile, ownProfileWrite } from '../change-own-profile.ts';
import { parseProfileField } from '../rules/profile-fields.ts';
import type { ManagerProfile, ProfileFieldParams, ProfileFieldUpdate } from '../schemas.ts';

type SetProfileFieldInput = Static<typeof ProfileFieldParams> & Static<typeof ProfileFieldUpdate>;

/** Returns the changed profile. */
export async function setMyManagerProfileField(
  context: ManagerContext,
  { field, value, expectedRevision }: SetProfileFieldInput,
): Promise<WriteAnswer<ManagerProfile>> {
  return context.write(
    ownProfileWrite(context, async (db, row) => {
      const changes = parseProfileField(field, value, row);
      if (expectedRevision !== String(row.profile_revision)) throw new Problem('profile-conflict');
      return answerProfile(db, context, await changeProfile(db, context, row, changes));
    }),
  );
}
