// Sends a message to a mail server by SMTP (RFC 5321), in a bounded time, over a connection of its own.

import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ComposedMail } from './compose-mail.ts';
import type { SmtpSettings } from './mail-settings.ts';
import { MailError } from './mailer.ts';

export type SmtpTimeouts = {
  /** The limit for the connection, the greeting and each answer. */
  readonly stepMs: number;
  /** The limit for everything together, which also ends a server that sends a little at a time. */
  readonly totalMs: number;
};

export const smtpTimeouts: SmtpTimeouts = { stepMs: 8000, totalMs: 15_000 };

/** Throws MailError if the server did not accept the message. */
export async function sendBySmtp(
  settings: SmtpSettings,
  mail: ComposedMail,
  { stepMs, totalMs, signal }: SmtpTimeouts & { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const { host, port, isImplicitTls, requiresTls, credentials } = settings;
  const connection = new SMTPConnection({
    host,
    port,
    secure: isImplicitTls,
    requireTLS: requiresTls && !isImplicitTls,
    // Between two programs of this machine there is no attacker whom a certificate could keep out.
    tls: { rejectUnauthorized: requiresTls, minVersion: 'TLSv1.2' },
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    socketCloseTimeout: 0,
    maxResponseSize: 65_536,
  });
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Errors may occur at any time, even when nothing waits for an answer.
  connection.on('error', fail);
  connection.once('end', () => fail(new Error('the connection was closed')));
  const timer = setTimeout(() => fail(new Error('the server took too long')), totalMs);
  const onAbort = (): void => fail(new Error('the deadline has passed'));
  signal?.addEventListener('abort', onAbort);
  const progress = { wasAddressed: false };
  try {
    signal?.throwIfAborted();
    await Promise.race([converse(connection, { mail, credentials, progress }), failed]);
    // The server then closes the connection; otherwise the timeout of its answer does.
    connection.quit();
  } catch (error) {
    connection.close();
    throw toMailError(error, progress);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

type Progress = { wasAddressed: boolean };

type Conversation = {
  readonly mail: ComposedMail;
  readonly credentials: SmtpSettings['credentials'];
  readonly progress: Progress;
};

async function converse(
  connection: SMTPConnection,
  { mail: { message, envelope }, credentials, progress }: Conversation,
): Promise<void> {
  await step((done) => connection.connect(done));
  if (credentials !== undefined)
    await step((done) => connection.login({ user: credentials.user, pass: credentials.password }, done));
  progress.wasAddressed = true;
  await step((done) => connection.send({ ...envelope }, message, done));
}

const step = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    begin((error) => (error ? reject(error) : resolve()));
  });

/** A server's text may quote addresses and codes, so that the message has only its numbers. */
function toMailError(error: unknown, { wasAddressed }: Progress): MailError {
  const { code = 'unknown', responseCode, command = '' } = error as Record<string, unknown>;
  const isAddressRefused = command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
  const status = typeof responseCode === 'number' ? ` ${responseCode}` : '';
  return new MailError(
    isAddressRefused ? 'address-refused' : 'server-unavailable',
    `the mail server did not accept the mail: ${String(code)}${status}`,
    // A server that refuses the sender does not receive the recipient's address.
    wasAddressed && command !== 'MAIL FROM',
  );
}
