// The account of one resident in the console: found by typing, chosen by keyboard, and kept in the address.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { consoleFixture } from './support/built-console.ts';
import { checkViews } from './support/check-views.ts';
import { createCommandTabs } from './support/command-tabs.ts';
import { launchBrowser, seedForConsole, waitUntilShown } from './support/console-page.ts';

const { service, started } = consoleFixture();

const account = '/banks/sund-B1001/account';

describe('the account of a resident', { skip: noBrowser }, () => {
  let browser: Browser;
  const { inConsole } = createCommandTabs(service, () => browser);
  before(async () => {
    await started;
    await seedForConsole(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  test('[console.10] a resident is found by typing and chosen by keyboard, and the address keeps the choice', () =>
    inConsole(account, async ({ page }) => {
      const field = page.getByRole('combobox', { name: 'Resident' });
      await field.focus();
      await page.keyboard.type('resident12@');
      await page.getByRole('option', { name: 'Demo Resident 12' }).waitFor();
      await checkViews(page);
      await page.keyboard.press('Enter');
      await page.waitForURL(/userKid=sund-B1001-R1012/);
      const chosen = page.getByRole('button', { name: 'Demo Resident 12' });
      await chosen.waitFor();
      await waitUntilShown(page);
      const names = await page.locator('main tbody tr td:nth-child(4)').allInnerTexts();
      assert.ok(
        names.every((name) => name === 'Demo Resident 12'),
        names.join(', '),
      );
      await checkViews(page);
      assert.match(await page.evaluate('document.activeElement.textContent'), /^Demo Resident 12/);
      await page.keyboard.press('Enter');
      await field.waitFor();
      assert.equal(new URL(page.url()).searchParams.has('userKid'), false);
      assert.equal(await page.evaluate('document.activeElement.role'), 'combobox');
    }));

  test('[console.10] a resident leads to their account', () =>
    inConsole('/banks/sund-B1001/residents/sund-B1001-R1012', async ({ page }) => {
      await page.getByRole('link', { name: 'Show the account of the resident' }).click();
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
      await page.getByRole('button', { name: 'Demo Resident 12' }).waitFor();
    }));
});
