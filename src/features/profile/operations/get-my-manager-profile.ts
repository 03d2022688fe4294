// GetMyManagerProfile: reads the profile of the manager of the request.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { findPendingVerification } from '../queries/email-verifications.ts';
import { requireProfile } from '../require-profile.ts';
import { toManagerProfile } from '../answers.ts';
import type { ManagerProfile } from '../schemas.ts';

export function getMyManagerProfile(context: ManagerContext): Promise<ManagerProfile> {
  const { tenant, principal, now } = context;
  return context.read(async (db) => {
    const row = await requireProfile(db, principal);
    return toManagerProfile(tenant.name, row, await findPendingVerification(db, principal, now));
  });
}
