// SetMyManagerProfileField: changes one field of the manager's own profile.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { Problem } from '../../../lib/problem.ts';
import { answerProfile, changeProfile, ownProfileWrite } from '../change-own-profile.ts';
import { parseProfileField, type ProfileField } from '../rules/profile-fields.ts';
import type { ManagerProfile } from '../schemas.ts';

type SetProfileFieldInput = {
  readonly field: ProfileField;
  readonly value: string | number;
  readonly expectedRevision: string;
};

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
