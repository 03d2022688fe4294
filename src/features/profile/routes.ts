// Declares the operations on the manager's own profile: GetMyManagerProfile, SetMyManagerProfileField,
// RequestMyManagerEmailVerification, ConfirmMyManagerEmail, ChangeMyManagerPassword and SetCurrentManagerTheme.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf, noContent } from '../../http/operations/response.ts';
import type { Mailer } from '../../providers/mail/mailer.ts';
import { changeMyManagerPassword, type ChangePasswordDependencies } from './operations/change-my-manager-password.ts';
import { confirmMyManagerEmail } from './operations/confirm-my-manager-email.ts';
import { getMyManagerProfile } from './operations/get-my-manager-profile.ts';
import { requestMyManagerEmailVerification } from './operations/request-my-manager-email-verification.ts';
import { setCurrentManagerTheme } from './operations/set-current-manager-theme.ts';
import { setMyManagerProfileField } from './operations/set-my-manager-profile-field.ts';
import {
  EmailConfirmation,
  EmailVerification,
  UnverifiedEmail,
  ManagerProfile,
  PasswordChange,
  ProfileFieldUpdate,
  ProfileFieldParams,
  StoredTheme,
  ThemeSetting,
} from './schemas.ts';

type ProfileDependencies = ChangePasswordDependencies & { readonly mailer: Mailer };

// Managers need no right for their own profile.
const common = { openApiDocuments: ['portal'], group: 'Profile', deadlineMs: 10_000, access: {} } as const;
const profilePath = '/api/v1/session/me';

const operationsOnFields: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetMyManagerProfile',
    method: 'GET',
    path: `${profilePath}/profile`,
    summary: 'Read your own profile',
    description:
      'The fields that managers can change themselves, and the email address that awaits its verification code.',
    response: jsonOf(ManagerProfile),
    run: (_input, context) => getMyManagerProfile(context),
  }),
  defineManagerOperation({
    ...common,
    id: 'SetMyManagerProfileField',
    method: 'POST',
    path: `${profilePath}/profile/{field}`,
    summary: 'Change a field of your own profile',
    description:
      'Returns the changed profile. A value that changes nothing leaves the revision unchanged. RetentionDays decides how long deleted records stay visible, and never shows more than the manager has access to.',
    params: ProfileFieldParams,
    body: ProfileFieldUpdate,
    response: jsonOf(ManagerProfile),
    validationProblem: 'invalid-profile',
    problemCodes: ['profile-conflict'],
    acceptsIdempotencyKey: true,
    run: ({ params, body }, context) => setMyManagerProfileField(context, { ...params, ...body }),
  }),
];

export const profileRoutes = ({ mailer, ...dependencies }: ProfileDependencies): Operation[] => [
  ...operationsOnFields,
  defineManagerOperation({
    ...common,
    id: 'RequestMyManagerEmailVerification',
    method: 'POST',
    path: `${profilePath}/email-verification`,
    summary: 'Request a code that verifies an email address',
    description:
      'Mails a single-use code in the language of Accept-Language. It can be used for 15 minutes, and ends every earlier code once it is sent. A manager can request five codes in an hour; a code whose mail failed (503 `mail-unavailable`) counts if the mail server received the address. An address that the mail server refuses permanently is 400 `invalid-profile`.',
    body: UnverifiedEmail,
    response: jsonOf(EmailVerification, { status: 202 }),
    validationProblem: 'invalid-profile',
    problemCodes: ['too-many-verifications', 'mail-unavailable'],
    acceptsIdempotencyKey: true,
    // The mail server may take 15 seconds of this.
    deadlineMs: 30_000,
    run: ({ body }, context) => requestMyManagerEmailVerification(context, body, mailer),
  }),
  defineManagerOperation({
    ...common,
    id: 'ConfirmMyManagerEmail',
    method: 'POST',
    path: `${profilePath}/email-confirmation`,
    summary: 'Confirm an email address with its code',
    description:
      'Returns the profile with the new address. A code can be used once; after five wrong tries it is invalid, and a new one must be requested.',
    body: EmailConfirmation,
    response: jsonOf(ManagerProfile),
    validationProblem: 'invalid-code',
    acceptsIdempotencyKey: true,
    run: ({ body }, context) => confirmMyManagerEmail(context, body),
  }),
  defineManagerOperation({
    ...common,
    id: 'ChangeMyManagerPassword',
    method: 'POST',
    path: `${profilePath}/password`,
    summary: 'Change your own password',
    description:
      'Ends every other session of the manager; this one stays valid. `errors` names the field that is refused. Wrong current passwords count as failed logins. Takes no `Idempotency-Key`.',
    body: PasswordChange,
    response: noContent,
    validationProblem: 'invalid-password',
    problemCodes: ['too-many-attempts', 'login-busy'],
    maxBodyBytes: 16_384,
    run: ({ body }, context) => changeMyManagerPassword(context, body, dependencies),
  }),
  defineManagerOperation({
    ...common,
    id: 'SetCurrentManagerTheme',
    method: 'PUT',
    path: `${profilePath}/theme`,
    summary: 'Set your own theme',
    description: 'The same as the profile field Theme, without a revision: the last write wins.',
    body: ThemeSetting,
    response: jsonOf(StoredTheme),
    validationProblem: 'invalid-profile',
    problemCodes: ['profile-conflict'],
    acceptsIdempotencyKey: true,
    run: ({ body }, context) => setCurrentManagerTheme(context, body),
  }),
];
