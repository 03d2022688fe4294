// The port of mail: the contents of a mail, and how sending it can fail.

import type { Language } from '../../lib/text/language.ts';
import type { Turn } from '../../lib/queues/fair-queue.ts';

export type Mail = {
  /** One address, which was checked before. */
  readonly to: string;
  readonly language: Language;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** Why a mail was not sent: no server accepted it, or the mail server refused the address for good. */
type MailFailure = 'server-unavailable' | 'address-refused';

/** Its message contains neither addresses nor the mail server's texts, which may quote them. */
export class MailError extends Error {
  override name = 'MailError';
  readonly failure: MailFailure;
  /** Whether the server received the address: the mail may then have been sent in spite of the error. */
  readonly wasAddressed: boolean;

  constructor(failure: MailFailure, message: string, wasAddressed = false) {
    super(message);
    this.failure = failure;
    this.wasAddressed = wasAddressed;
  }
}

export type Mailer = {
  /** Resolves when the mail was accepted. Throws MailError after a bounded time. The signal also ends the sending. */
  send(mail: Mail, turn?: Turn): Promise<void>;
};

export type MailAddress = { readonly name: string; readonly address: string };
