// GetMyManagerProfile: reads the profile of the manager of the request.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { VariantResult } from '../../../http/send-result.ts';
import { findStandingVerification } from '../queries/email-verifications.ts';
import { readProfile } from '../queries/profile.ts';
import { formatProfile, withVariant } from '../schemas.ts';

export function getMyManagerProfile(context: ManagerContext): Promise<VariantResult> {
  const { tenant, principal, now } = context;
  return context.read(async (db) => {
    const row = await readProfile(db, principal);
    return withVariant(formatProfile(tenant.name, row, await findStandingVerification(db, principal, now)));
  });
}
