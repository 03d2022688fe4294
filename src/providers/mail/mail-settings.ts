// Reads the operator's mail server and sender. Errors quote nothing of the values: the URL of a server contains a
// password.

import { isIP } from 'node:net';
import { parseEmail, parseText } from '../../lib/values/field-values.ts';
import type { MailAddress } from './mailer.ts';

export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on (smtps). */
  readonly isImplicitTls: boolean;
  /** Nothing is sent without TLS and a valid certificate, except to a server on this machine itself. */
  readonly requiresTls: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
};

const expectedUrl =
  'expected smtp://HOST:PORT or smtps://HOST:PORT, with user:password@ in front of the host if needed';

/** `smtp` begins unencrypted and changes to TLS by STARTTLS (RFC 3207), `smtps` begins with TLS (RFC 8314). */
export function parseSmtpUrl(value: string): SmtpSettings | undefined {
  if (value === '') return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isImplicitTls = url?.protocol === 'smtps:';
  if (url === undefined || !(isImplicitTls || url.protocol === 'smtp:') || url.hostname === '')
    throw new Error(expectedUrl);
  if (!/^\/?$/.test(url.pathname) || url.search + url.hash !== '' || url.port === '0') throw new Error(expectedUrl);
  const host = url.hostname.replaceAll(/[[\]]/g, '').toLowerCase();
  return {
    host,
    port: url.port === '' ? (isImplicitTls ? 465 : 587) : Number(url.port),
    isImplicitTls,
    requiresTls: !isLoopback(host),
    credentials: readCredentials(url),
  };
}

function readCredentials({ username, password }: URL): SmtpSettings['credentials'] {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') throw new Error('expected both a user and a password, or none of them');
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new Error('expected a user and a password in percent-encoding');
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** `portal@example.org`, or `Portal <portal@example.org>`. */
export function parseMailFrom(value: string): MailAddress | undefined {
  if (value === '') return undefined;
  const [, name = '', bracketed] = /^([^<>"]*)<([^<>]*)>$/.exec(value.trim()) ?? [];
  const parsedName = parseText(name, 100);
  const address = parseEmail(bracketed ?? value);
  if ('reason' in parsedName || 'reason' in address || address.value === '')
    throw new Error('expected an email address, or Name <address>');
  return { name: parsedName.value, address: address.value };
}
