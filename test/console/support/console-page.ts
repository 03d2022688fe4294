// A browser with the console open in it, for tests of what people see: with what the browser has against the page.

import assert from 'node:assert/strict';
import { chromium, type Browser, type BrowserContextOptions, type Page, type Request } from 'playwright-core';
import { toMs2000 } from '../../../src/lib/time/ms2000.ts';
import { seedDemoTenant } from '../../support/demo-database.ts';
import { findProgram } from '../../support/programs.ts';
import type { TestService } from '../../support/service.ts';

export type ConsolePage = {
  readonly page: Page;
  /** The addresses that were requested since the last `open`. */
  readonly requests: readonly string[];
  /** Opens an address below /console, and waits until the screen is shown. */
  open(path: string): Promise<void>;
  logIn(userName: string, password?: string): Promise<void>;
};

type ConsolePageOptions = BrowserContextOptions & {
  readonly port: number;
  readonly host?: string;
  /** Statuses of answers that the browser complains about, and the test expects. */
  readonly expected?: readonly number[];
};

/** The demo data of a tenant, with few postings. */
export async function seedForConsole({ dependencies }: TestService): Promise<void> {
  const now = toMs2000(Date.now());
  await seedDemoTenant(dependencies.databases.forTenant('sund'), 'sund', { now, postings: 2000 });
}

export const demoPassword = 'demo-Password-1';

export function launchBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP *.localhost 127.0.0.1',
  ];
  return chromium.launch({ executablePath: findProgram('chromium') ?? '', args });
}

/** Whatever the browser writes to its console is a fault of the page, save for answers that the test expects. */
export async function withConsole(
  browser: Browser,
  { port, host = 'api.sund.localhost', expected = [], ...context }: ConsolePageOptions,
  use: (opened: ConsolePage) => Promise<void>,
): Promise<void> {
  const opened = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en', ...context });
  try {
    const page = await opened.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    const requests: string[] = [];
    const isExpected = (text: string): boolean => expected.some((status) => text.includes(`a status of ${status} `));
    page.on('console', (message) => {
      if (!isExpected(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const origin = `http://${host}:${port}`;
    page.on('request', (request: Request) => requests.push(request.url().replace(origin, '')));
    await use({
      page,
      requests,
      open: async (path) => {
        requests.length = 0;
        await page.goto(`${origin}/console${path}`);
        await page.locator('h1').first().waitFor();
      },
      logIn: async (userName, password = demoPassword) => {
        await page.getByLabel('User name').fill(userName);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Log in' }).click();
      },
    });
    for (const url of requests) assert.match(url, /^(?:\/|data:|blob:)/, 'the console asks its own host alone');
    assert.deepEqual(complaints, []);
  } finally {
    await opened.close();
  }
}

/** A manager is logged in, and every part of the screen has been read. */
export async function waitUntilShown(page: Page): Promise<void> {
  await page.locator('#main h1').first().waitFor();
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}
