// The palette of the console in a browser: what it finds, by keyboard and by mouse, and for whom.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { consoleFixture } from './support/built-console.ts';
import { checkViews } from './support/check-views.ts';
import {
  launchBrowser,
  seedForConsole,
  waitUntilShown,
  withConsole,
  type ConsolePage,
} from './support/console-page.ts';
import { logInDemo, useSession } from './support/console-session.ts';

const { service, started } = consoleFixture();

describe('the palette of the console', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    await started;
    await seedForConsole(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const inConsole = (
    use: (opened: ConsolePage) => Promise<void>,
    { userName = 'owner', path = '/' }: { userName?: string; path?: string } = {},
  ): Promise<void> =>
    withConsole(browser, { port: service.port }, async (opened) => {
      await useSession(opened.page, await logInDemo(service, userName));
      await opened.open(path);
      await waitUntilShown(opened.page);
      await use(opened);
    });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search and open' });
  const options = (page: Page) => page.getByRole('dialog').getByRole('option');
  const addressOf = (page: Page): string => page.url().replace(/^.*\/console/, '');

  /** Opens the palette by keyboard, types, and waits until all is found. */
  async function type(page: Page, text: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type(text);
    await page
      .getByRole('dialog')
      .getByRole('status')
      .filter({ hasText: /\d result|Nothing was found/ })
      .waitFor();
  }

  test('[console.30] it is loaded when it is opened, and lists the screens of the manager', () =>
    inConsole(async ({ page, requests }) => {
      const isPalette = (url: string): boolean => /\/assets\/palette-/.test(url);
      assert.equal(requests.some(isPalette), false);
      await page.keyboard.press('Control+k');
      await options(page).first().waitFor();
      assert.ok(requests.some(isPalette));
      const names = await options(page).locator('> span:not(.second)').allInnerTexts();
      for (const name of ['Home', 'Managers', 'Imports', 'Your profile', 'Log out'])
        assert.ok(names.includes(name), name);
      await page.keyboard.press('Escape');
      await field(page).waitFor({ state: 'detached' });
    }));

  test('[console.30] a KID, a name or an email address and Enter open what they name', () =>
    inConsole(async ({ page }) => {
      for (const [text, address, heading] of [
        ['sund-B1001-L1-U2', '/units/sund-B1001-L1-U2', 'Washer 2'],
        ['b1001-r1001', '/banks/sund-B1001/residents/sund-B1001-R1001', 'Demo Resident 1'],
        ['"sund-M1005"', '/managers/sund-M1005', 'Clerk of Sund'],
        ['I2001', '/installers/sund-I2001', 'Demo Installer Alder'],
        ['B0-M1', '/services/sund-B0-M1', 'Gateway of the demo equipment'],
        ['birch', '/banks/sund-B1002', 'Locations'],
        ['audit', '/audit', 'Audit log'],
        ['residents alder', '/banks/sund-B1001/residents', 'Residents'],
        ['Alder house A', '/locations/sund-B1001-L1', 'Alder house A'],
        ['new resident', '/banks/sund-B1001/residents/new', 'New resident'],
        ['new computer', '/banks/sund-B1001/computers?do=create', 'Computers'],
        ['resident12@', '/banks/sund-B1001/residents/sund-B1001-R1012', 'Demo Resident 12'],
      ] as const) {
        await type(page, text);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        assert.equal(addressOf(page), address);
        // A screen reader goes on there, or in the command that was opened.
        await page.locator('h1:focus, [role=dialog] :focus').first().waitFor();
        if (address.includes('?do=')) await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }));

  test('[console.30] arrows choose, and a unit, a manager and a booking are found by what they are called', () =>
    inConsole(async ({ page }) => {
      const chosen = (): Promise<string> => page.locator('[aria-selected="true"] > span:not(.second)').innerText();
      await type(page, 'washer');
      assert.match(await chosen(), /^Washer/);
      const first = await chosen();
      await page.keyboard.press('ArrowDown');
      const second = await chosen();
      assert.notEqual(second, first);
      assert.equal(
        await field(page).getAttribute('aria-activedescendant'),
        await page.locator('[aria-selected="true"]').getAttribute('id'),
      );
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      assert.equal(await chosen(), await options(page).last().locator('> span:not(.second)').innerText());
      await field(page).fill('Clerk of');
      await page.getByRole('option', { name: 'Clerk of Sund' }).waitFor();
      const { token } = await logInDemo(service);
      const day = new Date().toISOString().slice(0, 10);
      const bookings = await service.call('GET', `/api/v1/banks/sund-B1001/bookings?from=${day}`, { token });
      const { items } = bookings.json as { items: { eventKid: string; unitName: string }[] };
      assert.ok(items[0] !== undefined);
      await field(page).fill(items[0].eventKid);
      await page.getByRole('option', { name: items[0].unitName }).click();
      await page.getByRole('heading', { level: 1, name: 'Bookings' }).waitFor();
      assert.match(addressOf(page), /^\/banks\/sund-B1001\/bookings\?from=\d{4}-\d\d-\d\d&through=/);
    }));

  test('Enter before anything was found opens the first that is', () =>
    inConsole(async ({ page }) => {
      await page.keyboard.press('Control+k');
      await field(page).waitFor();
      await page.keyboard.type('resident12@');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Demo Resident 12' }).waitFor();
    }));

  test('a click opens it, and an action is done', () =>
    inConsole(async ({ page }) => {
      await page.getByRole('button', { name: 'Search and open' }).click();
      await field(page).fill('log out');
      await page.getByRole('option', { name: 'Log out' }).click();
      await page.getByText('You have logged out.').waitFor();
    }));

  test('[console.12] it finds only what the manager may see', () =>
    inConsole(
      async ({ page, requests }) => {
        await type(page, 'clerk');
        assert.equal(await options(page).count(), 0);
        await field(page).fill('birch');
        await page.getByRole('dialog').getByRole('status').filter({ hasText: 'Nothing was found' }).waitFor();
        await field(page).fill('sund-M1005');
        await page.getByRole('dialog').getByRole('status').filter({ hasText: 'Nothing was found' }).waitFor();
        assert.equal(requests.filter((url) => url.startsWith('/api/v1/managers')).length, 0);
        await field(page).fill('resident1');
        await page
          .getByRole('dialog')
          .getByRole('status')
          .filter({ hasText: /\d result/ })
          .waitFor();
      },
      { userName: 'location', path: '/banks/sund-B1001' },
    ));

  test('[console.14] it fits every window, in light and dark', () =>
    inConsole(async ({ page }) => {
      await type(page, 'resident');
      await checkViews(page);
    }));

  test('[console.13] an arrow leads from the filter into the table, Home and End to its ends, and ? lists the keys', () =>
    inConsole(
      async ({ page }) => {
        const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
        await page.keyboard.press('/');
        await page.keyboard.press('ArrowDown');
        assert.equal(await focused(), 'Demo Resident 1');
        await page.keyboard.press('End');
        const last = await page.locator('tbody tr').last().locator('a').first().innerText();
        assert.equal(await focused(), last);
        await page.keyboard.press('Home');
        assert.equal(await focused(), 'Demo Resident 1');
        await page.keyboard.press('?');
        const help = page.getByRole('dialog', { name: 'Keys' });
        for (const text of ['Search and open anything', 'Go to the filter', 'First or last row'])
          await help.getByText(text).waitFor();
        // Another dialog stays what it is.
        await page.keyboard.press('Control+k');
        assert.equal(await field(page).count(), 0);
      },
      { path: '/banks/sund-B1001/residents' },
    ));
});
