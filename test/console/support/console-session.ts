// A manager of the demo who is logged in, for tests that begin behind the login.

import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.ts';
import { demoPassword } from './console-page.ts';

export type ConsoleSession = { readonly token: string; readonly expiresAtUtc: string };

export async function logInDemo({ call }: Pick<TestService, 'call'>, userName = 'owner'): Promise<ConsoleSession> {
  const { json, text, status } = await call('POST', '/api/v1/session/login', {
    body: { userName, password: demoPassword },
  });
  if (status !== 200) throw new Error(text);
  const { accessToken: token, expiresAtUtc } = json as { accessToken: string; expiresAtUtc: string };
  return { token, expiresAtUtc };
}

/** Before the page is opened: every page of the tab has the session then. */
export const useSession = (page: Page, session: ConsoleSession): Promise<unknown> =>
  page.addInitScript(`sessionStorage.setItem('portal-console-session', ${JSON.stringify(JSON.stringify(session))})`);
