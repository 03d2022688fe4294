// Creates the mailer of the settings: by SMTP, or into a folder if there is no mail server.

import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { composeMail } from './compose-mail.ts';
import type { SmtpSettings } from './mail-settings.ts';
import { MailError, type MailAddress, type Mailer } from './mailer.ts';
import { putIntoOutbox } from './outbox.ts';
import { sendBySmtp, smtpTimeouts, type SmtpTimeouts } from './smtp.ts';

type MailerOptions = {
  readonly smtp: SmtpSettings | undefined;
  readonly from: MailAddress;
  /** The folder for mails if there is no SMTP server. */
  readonly outbox: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly timeouts?: SmtpTimeouts;
};

// Mail servers accept few connections of one client, and a mail is small.
const maxConcurrentMails = 5;
const maxWaitMs = 5000;

export function createMailer({ smtp, from, outbox, clock, timeouts = smtpTimeouts }: MailerOptions): Mailer {
  const createRefusal = (): MailError =>
    new MailError('server-unavailable', 'too many mails are being sent at the same time');
  const queue = new FairQueue({ maxConcurrent: maxConcurrentMails, maxWaitMs, createRefusal });
  return {
    send: async (mail, turn = {}) => {
      const sendComposed = async (): Promise<void> => {
        const sentAt = new Date(clock());
        const composed = await composeMail(mail, from, sentAt);
        if (smtp === undefined) await putIntoOutbox(outbox, composed, sentAt);
        else await sendBySmtp(smtp, composed, { ...timeouts, signal: turn.signal });
      };
      try {
        await queue.run(sendComposed, turn);
      } catch (error) {
        // Only a mail that is still in the queue ends with this error.
        if (turn.signal?.aborted !== true || error !== turn.signal.reason) throw error;
        throw new MailError('server-unavailable', 'the mail waited too long in the queue');
      }
    },
  };
}
