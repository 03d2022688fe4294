// Calls of the operations on the own profile, and the mails that a service has put into its outbox.

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { HttpReply } from '../../support/call.ts';
import type { TestService } from '../../support/service.ts';

const me = '/api/v1/session/me';
type Caller = Pick<TestService, 'call'>;
type Options = { readonly token: string; readonly headers?: Readonly<Record<string, string>> };

export const getProfile = ({ call }: Caller, { token, headers = {} }: Options): Promise<HttpReply> =>
  call('GET', `${me}/profile`, { token, headers });

export const getCurrent = ({ call }: Caller, { token }: Options): Promise<HttpReply> => call('GET', me, { token });

export const setField = (
  { call }: Caller,
  field: string,
  body: { readonly value?: unknown; readonly expectedRevision?: unknown },
  { token, headers = {} }: Options,
): Promise<HttpReply> =>
  call('POST', `${me}/profile/${field}`, { token, headers, body: { expectedRevision: '1', ...body } });

export const setTheme = ({ call }: Caller, theme: unknown, { token, headers = {} }: Options): Promise<HttpReply> =>
  call('PUT', `${me}/theme`, { token, headers, body: { theme } });

export const requestCode = ({ call }: Caller, email: unknown, { token, headers = {} }: Options): Promise<HttpReply> =>
  call('POST', `${me}/email-verification`, { token, headers, body: { email } });

export const confirmCode = ({ call }: Caller, code: unknown, { token, headers = {} }: Options): Promise<HttpReply> =>
  call('POST', `${me}/email-confirmation`, { token, headers, body: { code } });

export type PasswordChange = {
  readonly currentPassword?: string;
  readonly newPassword?: string;
  readonly repeatPassword?: string;
};

/** The new password is repeated unless told otherwise. */
export const changePassword = (
  { call }: Caller,
  { currentPassword, newPassword, repeatPassword = newPassword }: PasswordChange,
  { token, from = '127.0.0.1' }: Options & { readonly from?: string },
): Promise<HttpReply> =>
  call('POST', `${me}/password`, { token, from, body: { currentPassword, newPassword, repeatPassword } });

export type ReceivedMail = Email & { readonly raw: string };

/** Takes every mail out of the outbox. */
export async function takeMails({ dependencies }: TestService): Promise<ReceivedMail[]> {
  const folder = dependencies.config.mailOutbox;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      await rm(join(folder, name));
      return { ...(await PostalMime.parse(bytes)), raw: bytes.toString('latin1') };
    }),
  );
}

export const codePattern = /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/;

export const codeOf = ({ text = '' }: Email): string => codePattern.exec(text)?.[0] ?? '';

/** Takes the one mail that must be there, and returns its code. */
export async function takeCode(service: TestService): Promise<string> {
  const [mail, ...more] = await takeMails(service);
  if (mail === undefined || more.length > 0) throw new Error(`there are ${more.length + 1} mails, or none`);
  return codeOf(mail);
}
