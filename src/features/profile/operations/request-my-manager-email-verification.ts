// RequestMyManagerEmailVerification: stores a code for an email address, and then mails the code to that address.

import { randomBytes } from 'node:crypto';
import type { WriteDb } from '../../../database/db.ts';
import {
  CommittedRefusal,
  type FirstWrite,
  type ManagerContext,
  type WriteAnswer,
} from '../../../http/context/operation-context.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import { secondsUntilNext } from '../../../lib/queues/hourly-limit.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { formatReadableCode } from '../../../lib/text/readable-code.ts';
import { MailError, type Mailer } from '../../../providers/mail/mailer.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import { ownProfileWrite, recordOwnChange } from '../change-own-profile.ts';
import {
  endEarlierVerifications,
  endOwnVerification,
  insertVerification,
  listRequestTimes,
  withdrawVerification,
} from '../queries/email-verifications.ts';
import type { ProfileRow } from '../queries/profile.ts';
import { createInvalidProfileProblem } from '../rules/profile-fields.ts';
import { codeExpiresAt, hashCode, maxRequestsPerHour, verificationCodeBytes } from '../rules/verification-code.ts';
import type { EmailVerification } from '../schemas.ts';
import { createVerificationMail } from '../rules/verification-mail.ts';

/**
 * When the mail is sent, earlier codes end; when the mail fails, the new code ends. If the process ends before the
 * process knows whether the mail was sent, a repeated request sends another code.
 */
export async function requestMyManagerEmailVerification(
  context: ManagerContext,
  { email }: { readonly email: string },
  mailer: Mailer,
): Promise<WriteAnswer<EmailVerification>> {
  const code = formatReadableCode(randomBytes(verificationCodeBytes));
  const answer = { email, expiresAtUtc: formatUtc(codeExpiresAt(context.now)) };
  const first = await context.writeFirst(
    ownProfileWrite(context, async (db, row): Promise<FirstWrite<EmailVerification, number>> => {
      await storeCode(db, context, row, { email, code });
      // Nobody has the code yet.
      return { answer: undefined, next: row.profile_writes };
    }),
  );
  if ('answer' in first) return first.answer;
  const failure = await sendCode(context, mailer, { email, code });
  return context.writeSecond(
    ownProfileWrite<EmailVerification>(context, async (db) => {
      if (failure === undefined) {
        await endEarlierVerifications(db, context.principal, first.next);
        return answer;
      }
      // A mail that the server may have sent counts, so that a server that accepts mails late does not lift the limit.
      const endVerification = failure.wasAddressed ? endOwnVerification : withdrawVerification;
      await endVerification(db, context.principal, first.next);
      await recordOwnChange(db, context, { before: pendingEmail, after: null });
      return new CommittedRefusal(toProblem(failure));
    }),
  );
}

// The audit log is never changed, so it must not hold an address that will be erased one day.
const pendingEmail = withoutValues(['pendingEmail']);

type AddressedCode = { readonly email: string; readonly code: string };

/** Throws 429 if the manager has requested too many codes. */
async function storeCode(
  db: WriteDb,
  context: ManagerContext,
  { profile_writes: verificationId }: ProfileRow,
  { email, code }: AddressedCode,
): Promise<void> {
  const { tenant, principal, now } = context;
  const waitSeconds = secondsUntilNext(await listRequestTimes(db, principal, now), maxRequestsPerHour, now);
  if (waitSeconds > 0) throw new Problem('too-many-verifications', { retryAfterSeconds: waitSeconds });
  const owner = { tenant: tenant.name, managerId: principal.id, verificationId };
  await insertVerification(db, principal, {
    verification_id: verificationId,
    email,
    code_hash: hashCode(code, owner),
    requested_at: now,
  });
  await recordOwnChange(db, context, { before: null, after: pendingEmail });
}

/** Returns why a mail was not sent. */
async function sendCode(
  context: ManagerContext,
  mailer: Mailer,
  { email, code }: AddressedCode,
): Promise<MailError | undefined> {
  const { language, tenant, principal } = context;
  const mail = createVerificationMail({ to: email, code, language, portal: tenant.displayName });
  try {
    await mailer.send(mail, { key: queueKeyOf(tenant, principal), signal: context.createDeadlineSignal() });
    return undefined;
  } catch (error) {
    if (error instanceof MailError) return error;
    throw error;
  }
}

const toProblem = (error: MailError): Problem =>
  error.failure === 'address-refused'
    ? createInvalidProfileProblem('body.email', 'is refused by the mail server')
    : new Problem('mail-unavailable', { reason: error.failure, cause: error });
