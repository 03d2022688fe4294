// Computers and held lines in the console, in a browser over the real service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { buildConsoleIfNeeded } from './support/built-console.ts';
import { checkViews } from './support/check-views.ts';
import {
  launchBrowser,
  seedForConsole,
  waitUntilShown,
  withConsole,
  type ConsolePage,
} from './support/console-page.ts';
import { logInDemo, useSession, type ConsoleSession } from './support/console-session.ts';
import { addComputer, holdLines } from './support/equipment-data.ts';

// The service reads the build when it starts.
await buildConsoleIfNeeded({ isLookedAt: noBrowser === false });
const { service, started } = serviceFixture('sqlite', { demo: true, manager: false });

const bank = '/banks/sund-B1001';

describe('equipment in the console', { skip: noBrowser }, () => {
  let browser: Browser;
  let owner: ConsoleSession;
  let computer: { readonly kid: string; readonly key: string };
  before(async () => {
    await started;
    await seedForConsole(service);
    owner = await logInDemo(service);
    computer = await addComputer(service, owner);
    await holdLines(service, computer.key);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  type Options = { readonly path: string; readonly session?: ConsoleSession; readonly expected?: readonly number[] };

  const inConsole = (
    { path, session = owner, expected = [] }: Options,
    use: (opened: ConsolePage) => Promise<void>,
  ): Promise<void> =>
    withConsole(browser, { port: service.port, expected }, async (opened) => {
      await useSession(opened.page, session);
      await opened.open(path);
      await waitUntilShown(opened.page);
      await use(opened);
    });

  test('[console.31] a computer is listed, with what it last said and how many of its lines are held', () =>
    inConsole({ path: `${bank}/computers` }, async ({ page, requests }) => {
      const row = page.getByRole('row', { name: /Cellar gateway/ });
      assert.match(await row.innerText(), /2\.4\.1/);
      await row.getByRole('link', { name: '4' }).waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      const asked = requests.length;
      await row.getByRole('link', { name: 'Cellar gateway' }).click();
      await page.getByRole('heading', { level: 1, name: 'Cellar gateway' }).waitFor();
      await waitUntilShown(page);
      await page.getByRole('link', { name: 'Washer 2' }).waitFor();
      assert.ok(requests.length - asked <= 6, requests.slice(asked).join(' '));
      await page.getByText('Lines that it still has to send').waitFor();
      await checkViews(page);
    }));

  test('[console.31] held lines say why they are held, and what they say is text', () =>
    inConsole({ path: `${bank}/bookings` }, async ({ page, requests }) => {
      const asked = requests.length;
      await page.getByRole('link', { name: 'Held lines' }).click();
      await page.getByRole('heading', { level: 1, name: 'Held lines' }).waitFor();
      await waitUntilShown(page);
      assert.ok(requests.length - asked <= 6, requests.slice(asked).join(' '));
      const rows = page.locator('tbody tr');
      assert.equal(await rows.count(), 4);
      // Newest first.
      const texts = await rows.allInnerTexts();
      for (const [at, expected] of [
        [0, /cannot be read/],
        [1, /refers to is unknown/],
        [2, /Nobody has this key[^]*Payment[^]*DKK\s50\.00/],
        [3, /Nobody has this key[^]*Use[^]*-DKK\s15\.00[^]*60° · FFFF0001/],
      ] as const)
        assert.match(texts[at] ?? '', expected);
      assert.equal(await page.locator('main img').count(), 0);
      await rows.first().getByText('Whole line').click();
      await rows.first().locator('pre', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByLabel('Why').selectOption('unknown-key');
      await page.waitForURL(/code=unknown-key$/);
      await waitUntilShown(page);
      assert.equal(await rows.count(), 2);
    }));

  test('[console.31] the home screen leads to the held lines', () =>
    inConsole({ path: '/' }, async ({ page }) => {
      await page.getByRole('link', { name: 'Resolve' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Held lines' }).waitFor();
    }));
});
