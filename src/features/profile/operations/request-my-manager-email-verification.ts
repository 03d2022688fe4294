// RequestMyManagerEmailVerification: stores a code for an email address, and then mails it there. Once it is sent, the codes
// before it end; a code whose mail could not be sent ends itself.

import type { WriteDb } from '../../../database/db.ts';
import {
  CommittedRefusal,
  type FirstWrite,
  type ManagerContext,
  type WriteAnswer,
} from '../../../http/context/operation-context.ts';
import { parseEmail } from '../../../lib/field-values.ts';
import { formatUtc } from '../../../lib/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { MailError, type Mailer } from '../../../providers/mail/mailer.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import { ownProfileWrite, recordOwnChange } from '../own-profile-write.ts';
import {
  endEarlierVerifications,
  endOwnVerification,
  insertVerification,
  listRequestTimes,
  withdrawVerification,
} from '../queries/email-verifications.ts';
import type { ProfileRow } from '../queries/profile.ts';
import { createInvalidProfileProblem } from '../rules/profile-fields.ts';
import {
  codeExpiresAt,
  createVerificationCode,
  hashCode,
  secondsUntilNextRequest,
} from '../rules/verification-code.ts';
import type { EmailVerificationAnswer } from '../schemas.ts';
import { createVerificationMail } from '../verification-mail.ts';

export async function requestMyManagerEmailVerification(
  context: ManagerContext,
  input: { readonly email: string },
  mailer: Mailer,
): Promise<WriteAnswer<EmailVerificationAnswer>> {
  const email = requireEmail(input.email);
  const code = createVerificationCode();
  const answer = { email, expiresAtUtc: formatUtc(codeExpiresAt(context.now)) };
  const first = await context.writeFirst(
    ownProfileWrite(context, async (db, row): Promise<FirstWrite<EmailVerificationAnswer, number>> => {
      await storeCode(db, context, row, { email, code });
      return { answer, next: row.profile_writes };
    }),
  );
  if ('answer' in first) return first.answer;
  const failure = await sendCode(context, mailer, { email, code });
  return context.writeSecond(
    ownProfileWrite<EmailVerificationAnswer>(context, async (db) => {
      if (failure === undefined) {
        await endEarlierVerifications(db, context.principal, first.next);
        return answer;
      }
      // What a server may have sent counts: nobody gets mails without end by a server that takes them late.
      const endVerification = failure.wasAddressed ? endOwnVerification : withdrawVerification;
      await endVerification(db, context.principal, first.next);
      await recordOwnChange(db, context, { before: pendingEmail, after: null });
      return new CommittedRefusal(toProblem(failure));
    }),
  );
}

// The log is never changed, and so holds no address that is erased one day.
const pendingEmail = withoutValues(['pendingEmail']);

function requireEmail(text: string): string {
  const result = parseEmail(text);
  if ('reason' in result || result.value === '')
    throw createInvalidProfileProblem('body.email', 'must be an email address');
  return result.value;
}

type AddressedCode = { readonly email: string; readonly code: string };

/** Throws 429 where the manager has requested too many codes. */
async function storeCode(
  db: WriteDb,
  context: ManagerContext,
  { profile_writes: verificationId }: ProfileRow,
  { email, code }: AddressedCode,
): Promise<void> {
  const { tenant, principal, now } = context;
  const waitSeconds = secondsUntilNextRequest(await listRequestTimes(db, principal, now), now);
  if (waitSeconds > 0) throw new Problem('too-many-verifications', { retryAfterSeconds: waitSeconds });
  const owner = { tenant: tenant.name, managerId: principal.managerId, verificationId };
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
    const group = [tenant.name, String(principal.managerId)];
    await mailer.send(mail, { group, signal: context.createDeadlineSignal() });
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
