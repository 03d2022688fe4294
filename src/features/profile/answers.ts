// Formats the profile of a manager from its row.

import { createHash } from 'node:crypto';
import { VariantResult } from '../../http/representations/results.ts';
import { formatKid } from '../../lib/kid.ts';
import { listPersonIcons } from '../icons/rules/person-icons.ts';
import type { StandingVerification } from './queries/email-verifications.ts';
import type { ProfileRow } from './queries/profile.ts';
import type { ManagerProfile } from './schemas.ts';

export function toManagerProfile(
  tenant: string,
  row: ProfileRow,
  verification: StandingVerification | undefined,
): ManagerProfile {
  return {
    kid: formatKid({ type: 'manager', tenant, managerId: row.manager_id }),
    email: row.email,
    emailVerified: row.email_verified === 1,
    pendingEmail: verification?.email ?? null,
    name: row.name,
    organisation: row.organisation,
    personIcon: row.person_icon,
    availablePersonIcons: listPersonIcons(),
    theme: row.theme,
    retentionDays: row.retention_days ?? 0,
    revision: String(row.profile_revision),
  };
}

/** The profile changes without its revision: a pending address expires, and a release can add icons. */
export function withVariant(profile: ManagerProfile): VariantResult<ManagerProfile> {
  const { pendingEmail, availablePersonIcons } = profile;
  const variant = createHash('sha256')
    .update(JSON.stringify([pendingEmail, availablePersonIcons]))
    .digest('base64url');
  return new VariantResult(profile, variant.slice(0, 16));
}
