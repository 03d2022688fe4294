// Makes the mailer that the settings ask for: by SMTP, or into a folder where there is no mail server.

import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { composeMail } from './compose-mail.ts';
import type { SmtpSettings } from './mail-settings.ts';
import { MailError, type MailAddress, type Mailer, type MailTurn } from './mailer.ts';
import { putIntoOutbox } from './outbox.ts';
import { sendBySmtp, smtpTimeouts, type SmtpTimeouts } from './smtp.ts';

export type MailerOptions = {
  readonly smtp: SmtpSettings | undefined;
  readonly from: MailAddress;
  /** The folder that takes mails where there is no SMTP server. */
  readonly outbox: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly timeouts?: SmtpTimeouts;
};

// Mail servers accept few connections of one client, and a mail is small.
const maxConcurrentMails = 5;
const maxWaitMs = 5000;

const createNobodysTurn = (): MailTurn => ({ group: [], signal: new AbortController().signal });

export function createMailer({ smtp, from, outbox, clock, timeouts = smtpTimeouts }: MailerOptions): Mailer {
  const createRefusal = (): MailError =>
    new MailError('server-unavailable', 'too many mails are being sent at the same time');
  const limit = new ConcurrencyLimit(maxConcurrentMails, createRefusal, maxWaitMs);
  return {
    send: async (mail, { group, signal } = createNobodysTurn()) => {
      const sendComposed = async (): Promise<void> => {
        const sentAt = new Date(clock());
        const composed = await composeMail(mail, from, sentAt);
        if (smtp === undefined) await putIntoOutbox(outbox, composed, sentAt);
        else await sendBySmtp(smtp, composed, { ...timeouts, signal });
      };
      try {
        await limit.run(sendComposed, group, signal);
      } catch (error) {
        // Only a mail that waits for its turn ends like that.
        if (error !== signal.reason || !signal.aborted) throw error;
        throw new MailError('server-unavailable', 'the mail had no turn in time');
      }
    },
  };
}
