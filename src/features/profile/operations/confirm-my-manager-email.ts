// ConfirmMyManagerEmail: sets the manager's email address to that of a verification code. The transaction that refuses
// a wrong code also counts it, so that codes tried at the same time are all counted.

import { CommittedRefusal, type ManagerContext, type WriteAnswer } from '../../../http/context/operation-context.ts';
import { Problem } from '../../../lib/problem.ts';
import { answerProfile, changeProfile, ownProfileWrite } from '../change-own-profile.ts';
import { countWrongTry, findPendingVerification, useVerification } from '../queries/email-verifications.ts';
import { hashCode, isSameHash } from '../rules/verification-code.ts';
import type { ManagerProfile } from '../schemas.ts';

/** Returns the profile with the new address. */
export function confirmMyManagerEmail(
  context: ManagerContext,
  { code }: { readonly code: string },
): Promise<WriteAnswer<ManagerProfile>> {
  const { tenant, principal, now } = context;
  return context.write(
    ownProfileWrite(context, async (db, row) => {
      const verification = await findPendingVerification(db, principal, now);
      if (verification === undefined) throw new Problem('invalid-code');
      const owner = { tenant: tenant.name, managerId: principal.id, verificationId: verification.verification_id };
      const isRight = isSameHash(hashCode(code, owner), verification.code_hash);
      const isChanged = await (isRight ? useVerification : countWrongTry)(db, principal, verification);
      if (!isChanged) throw new Problem('invalid-code');
      if (!isRight) return new CommittedRefusal(new Problem('invalid-code'));
      const changes = { email: verification.email, email_verified: 1 };
      return answerProfile(db, context, await changeProfile(db, context, row, changes));
    }),
  );
}
