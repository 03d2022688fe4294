// The schemas of the operations on the manager's own profile.

import { Type, type Static } from 'typebox';
import { namedBody, namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { parsedText } from '../../http/schemas/parsed-text.ts';
import { closedObject, instant, kidOutput } from '../../http/schemas/schema-types.ts';
import { maxEmailOctets, parseRequiredEmail } from '../../lib/values/field-values.ts';
import { maxRetentionDays, profileFields, themes } from './rules/profile-fields.ts';

const theme = Type.Integer({
  minimum: themes.first,
  maximum: themes.last,
  description: 'System = 0, Light = 1, Dark = 2.',
});

export const ManagerProfile = namedObject('ManagerProfile', {
  kid: kidOutput('manager'),
  email: Type.String({ maxLength: maxEmailOctets }),
  emailVerified: Type.Boolean({ description: 'Whether the manager has confirmed `email` with a code.' }),
  pendingEmail: nullable(
    Type.String({
      maxLength: maxEmailOctets,
      format: 'idn-email',
      description: 'The address that awaits its verification code; null if there is none.',
    }),
  ),
  name: Type.String(),
  organisation: Type.String({ description: 'Empty if unknown.' }),
  personIcon: Type.String({ description: 'Name of the icon.', examples: ['person'] }),
  availablePersonIcons: Type.Array(Type.String(), { description: 'Names of the icons that can be chosen.' }),
  theme,
  retentionDays: Type.Integer({
    minimum: 0,
    maximum: maxRetentionDays,
    description:
      'For how many days deleted records stay visible to the manager, within the manager’s access. 0: not at all; accounts then show identities for the tenant’s own retention.',
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

export const ProfileFieldUpdate = namedBody('ProfileFieldUpdate', {
  // The rule of the field has the limit.
  value: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    description: 'A string; for Theme and RetentionDays a whole number.',
    examples: ['Demo Manager'],
  }),
  expectedRevision: Type.String({ maxLength: 64, description: 'Revision of the profile from the last read.' }),
});

export const UnverifiedEmail = namedBody('UnverifiedEmail', {
  email: parsedText(
    Type.String({
      maxLength: maxEmailOctets,
      format: 'idn-email',
      description: 'The address to verify, with the lengths of RFC 5321.',
    }),
    parseRequiredEmail,
  ),
});

export const EmailVerification = namedObject('EmailVerification', {
  email: Type.String({ maxLength: maxEmailOctets, format: 'idn-email', description: 'Where the code was sent.' }),
  expiresAtUtc: instant('When the code expires.'),
});
export type EmailVerification = Static<typeof EmailVerification>;

export const EmailConfirmation = namedBody('EmailConfirmation', {
  code: Type.String({
    maxLength: 100,
    description: 'The code from the mail; case, spaces and hyphens are ignored.',
    examples: ['7K3M-9XQP-2RTW'],
  }),
});

const password = (description: string) => Type.String({ maxLength: 1024, description });

export const PasswordChange = namedBody('PasswordChange', {
  currentPassword: password('The password with which the manager logs in.'),
  newPassword: password(
    '8 to 128 characters (code points in NFC), not a common password, and not only the user name, the email address or words of the service.',
  ),
  repeatPassword: password('The new password once more.'),
});

export const ThemeSetting = namedBody('ThemeSetting', { theme });
export type ThemeSetting = Static<typeof ThemeSetting>;

export const StoredTheme = namedObject('StoredTheme', { theme });
