// The shapes of the operations on the manager's own profile, and the row of a profile -> shape.

import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/named-schemas.ts';
import { closedObject, instant, kidOutput } from '../../http/schema-types.ts';
import { VariantResult } from '../../http/send-result.ts';
import { formatKid } from '../../lib/kid.ts';
import { listPersonIcons } from '../icons/rules/person-icons.ts';
import type { StandingVerification } from './queries/email-verifications.ts';
import type { ProfileRow } from './queries/profile.ts';
import { maxRetentionDays, profileFields, themes } from './rules/profile-fields.ts';

const theme = Type.Integer({
  minimum: themes.first,
  maximum: themes.last,
  description: 'System = 0, Light = 1, Dark = 2.',
});

export const ManagerProfile = namedObject('ManagerProfile', {
  kid: kidOutput('manager'),
  email: Type.String(),
  emailVerified: Type.Boolean({ description: 'Whether the manager has confirmed `email` by a code.' }),
  pendingEmail: nullable(Type.String({ description: 'The address whose verification code stands; null without one.' })),
  name: Type.String(),
  organisation: Type.String({ description: 'Empty if unknown.' }),
  personIcon: Type.String({ description: 'Name of the icon.', examples: ['person'] }),
  availablePersonIcons: Type.Array(Type.String(), { description: 'Names of the icons that can be chosen.' }),
  theme,
  retentionDays: Type.Integer({
    minimum: 0,
    maximum: maxRetentionDays,
    description:
      'For how many days deleted records stay visible to the manager, within the access that the manager has; 0: not at all, and identities in accounts for as long as the tenant says.',
  }),
  revision: Type.String({ description: 'Revision of the profile, for `expectedRevision`.' }),
});
export type ManagerProfile = Static<typeof ManagerProfile>;

export const ProfileFieldParams = closedObject({
  field: namedEnum(
    'ProfileField',
    profileFields,
    'Name: 1 to 200 characters; Organisation: at most 200; PersonIcon: one of `availablePersonIcons`; Theme: 0 to 2; RetentionDays: 0 to 3650.',
  ),
});

export const ProfileFieldBody = namedObject('ProfileFieldUpdate', {
  value: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    maxLength: 1000,
    description: 'A string; of Theme and RetentionDays a whole number, or a string of its digits.',
    examples: ['Demo Manager'],
  }),
  expectedRevision: Type.String({ maxLength: 64, description: 'Revision of the profile from the last read.' }),
});

export const EmailVerificationBody = namedObject('UnverifiedEmail', {
  email: Type.String({ maxLength: 1000, description: 'The address to verify, with the lengths of RFC 5321.' }),
});

export const EmailVerificationAnswer = namedObject('EmailVerification', {
  email: Type.String({ description: 'Where the code was sent.' }),
  expiresAtUtc: instant('Until when the code can be used.'),
});
export type EmailVerificationAnswer = Static<typeof EmailVerificationAnswer>;

export const EmailConfirmationBody = namedObject('EmailConfirmation', {
  code: Type.String({
    maxLength: 100,
    description: 'The code of the mail; case, spaces and hyphens do not count.',
    examples: ['7K3M-9XQP-2RTW'],
  }),
});

const password = (description: string) => Type.String({ maxLength: 1024, description });

export const PasswordBody = namedObject('PasswordChange', {
  currentPassword: password('The password with which the manager logs in.'),
  newPassword: password(
    '8 to 128 characters (code points in NFC), none of the passwords that many people have, and not the user name or the like.',
  ),
  repeatPassword: password('The new password once more.'),
});

export const ThemeSetting = namedObject('ThemeSetting', { theme });
export type ThemeSetting = Static<typeof ThemeSetting>;

export function formatProfile(
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

/** What is read depends on more than the revision: a pending address ends by itself, and icons come with a release. */
export function withVariant(profile: ManagerProfile): VariantResult {
  const { pendingEmail, availablePersonIcons } = profile;
  const variant = createHash('sha256')
    .update(JSON.stringify([pendingEmail, availablePersonIcons]))
    .digest('base64url');
  return new VariantResult(profile, variant.slice(0, 16));
}
