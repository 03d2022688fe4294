// Composes the message of a mail (RFC 5322, MIME): a text and an HTML part, in UTF-8.

import { randomUUID } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, MailAddress } from './mailer.ts';

export type ComposedMail = {
  readonly message: Buffer;
  /** RFC 5321: the sender and recipient for the server, whatever the message says. */
  readonly envelope: { readonly from: string; readonly to: string[] };
};

export async function composeMail(mail: Mail, from: MailAddress, sentAt: Date): Promise<ComposedMail> {
  const [, domain = 'localhost'] = /@([^@]+)$/.exec(from.address) ?? [];
  const node = new MailComposer({
    from: { ...from },
    to: { name: '', address: mail.to },
    subject: mail.subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    date: sentAt,
    messageId: `<${randomUUID()}@${domain}>`,
    text: mail.text,
    html: mail.html,
    headers: {
      // RFC 3834: tells auto-responders not to answer a mail that no person wrote.
      'Auto-Submitted': 'auto-generated',
      'Content-Language': mail.language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const { from: sender, to } = node.getEnvelope();
  return { message: await node.build(), envelope: { from: String(sender), to: [...to] } };
}
