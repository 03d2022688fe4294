// The port of mail: what a mail has, and how sending it fails.

import type { Language } from '../../lib/language.ts';
import type { GroupPath } from '../../lib/turn-queue.ts';

export type Mail = {
  /** One address, checked before. */
  readonly to: string;
  readonly language: Language;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** Why a mail was not sent: nobody accepted it, or the mail server refused the address for good. */
export type MailFailure = 'server-unavailable' | 'address-refused';

/** Its message has neither addresses nor what a mail server said, which may quote them. */
export class MailError extends Error {
  override name = 'MailError';
  readonly failure: MailFailure;
  /** Whether a server got to know the address: then the mail may be sent nevertheless. */
  readonly wasAddressed: boolean;

  constructor(failure: MailFailure, message: string, wasAddressed = false) {
    super(message);
    this.failure = failure;
    this.wasAddressed = wasAddressed;
  }
}

export type MailTurn = {
  /** For whom: such as the tenant and the manager, who take turns with others. */
  readonly group: GroupPath;
  /** Ends the waiting and the sending. */
  readonly signal: AbortSignal;
};

export type Mailer = {
  /** Resolves when the mail was accepted. Throws MailError, after a bounded time. */
  send(mail: Mail, turn?: MailTurn): Promise<void>;
};

export type MailAddress = { readonly name: string; readonly address: string };
