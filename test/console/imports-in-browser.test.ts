// Imports in the console, in a browser over the real service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { applyPlan, planFile } from '../support/imports.ts';
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
import { planResidents, residentsFile } from './support/equipment-data.ts';

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

  const address = (page: Page): string => page.url().replace(/^.*\/console/, '');
  const focused = (page: Page): Promise<string> =>
    page.evaluate('document.activeElement.closest("label")?.textContent ?? document.activeElement.textContent.trim()');

  /** Moves the focus until it is on the control with this text. */
  async function tabTo(page: Page, control: Locator): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${await focused(page)} is where the keyboard ends`);
  }

  test('[console.33] a whole import by keyboard alone: file, plan, errors, apply, undo', () =>
    inConsole('/', async ({ page }) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type('import or');
      await page.getByRole('option', { name: 'Import or export' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Import or export' }).waitFor();
      await page.locator('h1:focus').waitFor();
      await tabTo(page, page.getByLabel('Data'));
      await page.keyboard.type('Resid');
      await page.waitForURL(/kind=residents/);
      // Without a file nothing is sent.
      await tabTo(page, page.getByRole('button', { name: 'Make the plan' }));
      await page.keyboard.press('Enter');
      await page.getByText('Choose a file first.').waitFor();
      await page.locator('input[type=file]:focus').waitFor();
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
      await chooser.setFiles({ name: 'residents.csv', mimeType: 'text/csv', buffer: Buffer.from(residentsFile) });
      await tabTo(page, page.getByRole('button', { name: 'Make the plan' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Import: Residents' }).waitFor();
      await waitUntilShown(page);
      const kid = address(page).replace('/imports/', '');

      await tabTo(page, page.getByRole('link', { name: 'Refused' }));
      await page.keyboard.press('Enter');
      await page.waitForURL(/action=refused$/);
      await page.getByRole('row', { name: /bad-2.*must be an email address/s }).waitFor();

      await tabTo(page, page.getByRole('button', { name: 'Apply' }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Apply' });
      for (const text of ['1 is created.', '1 is changed.', '2 refused rows are left out.'])
        await dialog.getByText(text).waitFor();
      await tabTo(page, dialog.getByRole('button', { name: 'Apply 2 rows' }));
      await page.keyboard.press('Enter');
      await page.locator('h1 .mark', { hasText: /^Applied$/ }).waitFor();
      const resident = async (): Promise<string> => {
        const { json } = await service.call('GET', '/api/v1/banks/sund-B1001/users/sund-B1001-R1005', owner);
        return (json as { user: { name: string } }).user.name;
      };
      assert.equal(await resident(), 'Renamed Resident');

      await tabTo(page, page.getByRole('button', { name: 'Undo', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Undo' }).getByText('is kept: its row says why').waitFor();
      await tabTo(page, page.getByRole('button', { name: 'Undo 2 rows' }));
      await page.keyboard.press('Enter');
      await page.locator('h1 .mark', { hasText: /^Undone$/ }).waitFor();
      assert.equal(await resident(), 'Demo Resident 5');
      const { json } = await service.call('GET', `/api/v1/imports/${kid}`, owner);
      assert.deepEqual((json as { outcomes: object }).outcomes, {
        applied: 2,
        stale: 0,
        failed: 0,
        undone: 2,
        kept: 0,
      });
    }));

  test('[console.33] by mouse: a kind, a profile, a file, and the plan is cancelled', () =>
    inConsole('/imports', async ({ page }) => {
      await page.getByRole('link', { name: 'Import or export' }).click();
      await page.getByLabel('Data').selectOption('residents');
      await page.getByLabel('Profile').selectOption('danish-residents');
      await page.waitForURL(/profile=danish-residents/);
      await page.getByText('Format, encoding and separator').click();
      await page.getByLabel('Encoding').selectOption('windows-1252');
      await waitUntilShown(page);
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      const file = 'T-1,Made-up Tenant,1. tv,t1@example.org,,,\r\n';
      await page
        .getByLabel('Choose a file')
        .setInputFiles({ name: 'tenancies.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
      await page.getByRole('button', { name: 'Make the plan' }).click();
      await page.getByRole('heading', { level: 1, name: 'Import: Residents' }).waitFor();
      await page.getByText('windows-1252').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel' });
      await dialog.getByText('Nothing has been changed by it.').waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('h1 .mark', { hasText: /^Cancelled$/ }).waitFor();
    }));

  test('[console.33] who is missing in a full file is disabled only when their number is typed', async () => {
    const lines = (keys: readonly string[]): string =>
      ['key;name', ...keys.map((key) => `${key};Made-up ${key}`)].map((line) => `${line}\r\n`).join('');
    const options = { token: owner.token, kind: 'residents', bankId: 1002, query: { missing: 'deactivate' } };
    const first = await planFile(service, lines(['m1', 'm2', 'm3']), options);
    await applyPlan(service, first, owner);
    const { kid } = await planFile(service, lines(['m1']), options);
    await inConsole(`/imports/${kid}?do=apply`, async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'Apply' });
      await dialog.getByText('2 that the file lacks are disabled.').waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'Apply 2 rows' }).click();
      await dialog.getByText('The file lacks 2.').waitFor();
      await dialog.getByLabel('How many are missing in the file').fill('2');
      await dialog.getByRole('button', { name: 'Apply 2 rows' }).click();
      await page.locator('h1 .mark', { hasText: /^Applied$/ }).waitFor();
    });
  });
});
