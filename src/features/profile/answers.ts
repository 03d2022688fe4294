// Formats the profile of a manager from its row.

import { formatKid } from '../../lib/kid.ts';
import { listPersonIcons } from '../icons/rules/person-icons.ts';
import type { StandingVerification } from './queries/email-verifications.ts';
import type { ProfileRow } from './queries/profile.ts';
import type { ManagerProfile } from './schemas.ts';

export const toManagerProfile = (
  tenant: string,
  row: ProfileRow,
  verification: StandingVerification | undefined,
): ManagerProfile => ({
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
});
