// Imports in the console, in a browser over the real service.
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
import { planResidents } from './support/equipment-data.ts';

// The service reads the build when it starts.
await buildConsoleIfNeeded({ isLookedAt: noBrowser === false });
const { service, started } = serviceFixture('sqlite', { demo: true, manager: false });

describe('imports in the console', { skip: noBrowser }, () => {
  let browser: Browser;
  let owner: ConsoleSession;
  before(async () => {
    await started;
    await seedForConsole(service);
    owner = await logInDemo(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const inConsole = (path: string, use: (opened: ConsolePage) => Promise<void>): Promise<void> =>
    withConsole(browser, { port: service.port }, async (opened) => {
      await useSession(opened.page, owner);
      await opened.open(path);
      await waitUntilShown(opened.page);
      await use(opened);
    });

  test('[console.31] a plan is shown in numbers and row by row, with the changes and the errors', async () => {
    const kid = await planResidents(service, owner.token);
    await inConsole('/imports', async ({ page, requests }) => {
      await page.getByRole('row', { name: new RegExp(kid) }).waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      const asked = requests.length;
      await page
        .getByRole('row', { name: new RegExp(kid) })
        .getByRole('link', { name: 'Residents' })
        .click();
      await page.getByRole('heading', { level: 1, name: 'Import: Residents' }).waitFor();
      await waitUntilShown(page);
      assert.ok(requests.length - asked <= 6, requests.slice(asked).join(' '));
      const tiles = await page.locator('.tile').allInnerTexts();
      assert.deepEqual(
        tiles.map((text) => text.replace(/\s+/g, ' ')),
        ['1 New', '1 Changed', '0 Unchanged', '0 Missing in the file', '2 Refused'],
      );
      const changed = page.getByRole('row', { name: /old-1/ });
      assert.match(await changed.innerText(), /Demo Resident 5[^]*→[^]*Renamed Resident/);
      await changed.getByRole('link', { name: 'sund-B1001-R1005' }).waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('link', { name: 'Refused' }).click();
      await page.waitForURL(/action=refused$/);
      await waitUntilShown(page);
      const rows = await page.locator('tbody tr').allInnerTexts();
      assert.equal(rows.length, 2);
      assert.match(rows[0] ?? '', /4[^]*bad-1[^]*Refused[^]*name[^]*required/);
      assert.match(rows[1] ?? '', /5[^]*bad-2[^]*Refused[^]*email[^]*invalid/);
    });
  });

  test('[console.31] a profile is shown with its columns', () =>
    inConsole('/imports/profiles', async ({ page }) => {
      await page.getByRole('link', { name: 'danish-residents' }).click();
      await page.getByRole('heading', { level: 1, name: 'danish-residents' }).waitFor();
      await page
        .getByRole('row', { name: /apartment/ })
        .first()
        .waitFor();
      await checkViews(page);
    }));
});
