// ChangeMyManagerPassword: replaces the password of the manager of the request. Every other session of the manager ends;
// this one stays.

import type { Static } from 'typebox';
import type { PasswordChange } from '../schemas.ts';
import { randomUUID } from 'node:crypto';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldProblem, createFieldsProblem, toFieldError } from '../../../lib/values/field-problem.ts';
import type { Turn } from '../../../lib/queues/fair-queue.ts';
import { Problem, type FieldError } from '../../../lib/problem.ts';
import type { CommonPasswords } from '../../passwords/assets/common-passwords.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import { findPasswordFault } from '../../passwords/rules/new-password.ts';
import { normalizePassword } from '../../passwords/rules/password.ts';
import type { LoginThrottle } from '../../sessions/process/login-throttle.ts';
import { isKnownAddress, storeKnownAddress } from '../../sessions/queries/known-addresses.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import { ownProfileWrite, recordOwnChange } from '../change-own-profile.ts';
import { findOwnCredentials, replacePassword, type OwnCredentials } from '../queries/password.ts';

type ChangePasswordInput = Static<typeof PasswordChange>;

export type ChangePasswordDependencies = {
  readonly passwordHasher: PasswordHasher;
  /** Shared with logins: a wrong current password counts as a failed login. */
  readonly throttle: LoginThrottle;
  readonly commonPasswords: CommonPasswords;
  /** Whether the demo password is accepted. */
  readonly demo: boolean;
};

type PasswordCandidate = OwnCredentials & { readonly isKnownAddress: boolean };

export async function changeMyManagerPassword(
  context: ManagerContext,
  input: ChangePasswordInput,
  dependencies: ChangePasswordDependencies,
): Promise<WriteAnswer<void>> {
  const { principal, now, clientAddress: address } = context;
  const candidate = await context.read((db) => readCandidate(db, context));
  await requireAcceptable(context, input, candidate, dependencies);
  await requireCurrentPassword(context, input, candidate, dependencies);
  // Hashing takes long, so nothing is locked yet.
  const passwordHash = await dependencies.passwordHasher.hash(input.newPassword, { turn: turnOf(context, candidate) });
  const credentialStamp = randomUUID();
  return context.write(
    ownProfileWrite(context, async (db) => {
      const credentials = { passwordHash, credentialStamp };
      // Another change came first: the current password is no longer the one that was checked.
      if (!(await replacePassword(db, principal, candidate.credential_stamp, credentials)))
        throw createPasswordProblem('currentPassword', 'has been changed in the meantime');
      // The new stamp makes all addresses unknown, so this one is stored again.
      const known = { managerId: principal.id, credentialStamp, address, now, isKnown: false };
      await storeKnownAddress(db, known);
      await recordOwnChange(db, context, { before: null, after: withoutValues(['password']) });
    }),
  );
}

/** Prefers a manager who has logged in from the address before. */
const turnOf = ({ clientAddress }: ManagerContext, { isKnownAddress: isPreferred }: PasswordCandidate): Turn => ({
  key: [clientAddress],
  isPreferred,
});

async function readCandidate(db: Db, { principal, clientAddress, now }: ManagerContext): Promise<PasswordCandidate> {
  const { id: managerId } = principal;
  const credentials = await findOwnCredentials(db, principal);
  if (credentials === undefined) throw new Problem('unauthenticated');
  const { credential_stamp: credentialStamp } = credentials;
  const isKnown = await isKnownAddress(db, { managerId, credentialStamp, address: clientAddress, now });
  return { ...credentials, isKnownAddress: isKnown };
}

const createPasswordProblem = (field: keyof ChangePasswordInput, message: string): Problem =>
  createFieldProblem(`body.${field}`, message, 'invalid-password');

/**
 * Throws 400 if the new password is not accepted. This computes no hash, and reveals nothing about the current
 * password.
 */
async function requireAcceptable(
  { tenant }: ManagerContext,
  { currentPassword, newPassword, repeatPassword }: ChangePasswordInput,
  { user_name, email }: OwnCredentials,
  { commonPasswords, demo }: ChangePasswordDependencies,
): Promise<void> {
  const normalized = normalizePassword(newPassword);
  const errors: FieldError[] = [];
  if (normalized !== normalizePassword(repeatPassword))
    errors.push({ path: 'body.repeatPassword', message: 'must be the same as newPassword', code: 'not-repeated' });
  const fault = findPasswordFault(newPassword, {
    commonPasswords: await commonPasswords.list(),
    ownWords: [user_name, email, tenant.name, tenant.displayName],
    demo,
  });
  if (fault !== undefined) errors.push(toFieldError('body.newPassword', fault));
  else if (normalized === normalizePassword(currentPassword))
    errors.push({ path: 'body.newPassword', message: 'must not be the same as currentPassword', code: 'not-new' });
  if (errors.length > 0) throw createFieldsProblem(errors, 'invalid-password');
}

/** Throws 400 if the current password is wrong, and 429 after too many wrong ones (OWASP ASVS 5.0, 6.3.1). */
async function requireCurrentPassword(
  context: ManagerContext,
  { currentPassword }: ChangePasswordInput,
  candidate: PasswordCandidate,
  { passwordHasher, throttle }: ChangePasswordDependencies,
): Promise<void> {
  const { tenant, clientAddress: address, now } = context;
  const attempt = { tenant: tenant.name, userNameKey: candidate.user_name_key, address, now };
  const turn = turnOf(context, candidate);
  const check = async (): Promise<void> => {
    const isRight = await passwordHasher.verify(currentPassword, candidate.password_hash, turn);
    if (!isRight) throw new Problem('invalid-credentials');
  };
  try {
    await throttle.run(attempt, { find: async () => candidate, check });
  } catch (error) {
    const isWrong = error instanceof Problem && error.code === 'invalid-credentials';
    throw isWrong ? createPasswordProblem('currentPassword', 'is wrong') : error;
  }
}
