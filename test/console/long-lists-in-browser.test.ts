// Lists of ten thousand rows in the console: the page has no more of them than it shows, on every page of the list.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { insertResidents } from '../../src/features/residents/queries/insert-residents.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { noBrowser } from '../support/browser.ts';
import { dayMs } from '../support/times.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { consoleFixture } from './support/built-console.ts';
import { launchBrowser, waitUntilShown, withConsole, type ConsolePage } from './support/console-page.ts';
import { logInDemo, useSession, type ConsoleSession } from './support/console-session.ts';

const { service, started } = consoleFixture();

const rowCount = 10_000;
const rowsPerPage = 50;
/** A page of a list has fewer elements: some forty for each row, and a thousand around them. */
const mostElements = 3000;
const residents = '/banks/sund-B1002/residents';
const from = new Date(Date.now() - 300 * dayMs).toISOString().slice(0, 10);
const account = `/banks/sund-B1001/account?period=dates&from=${from}`;

describe('long lists of the console', { skip: noBrowser }, () => {
  let browser: Browser;
  let owner: ConsoleSession;
  before(async () => {
    await started;
    const database = service.dependencies.databases.forTenant('sund');
    await seedDemoTenant(database, 'sund', { now: toMs2000(Date.now()), postings: rowCount });
    const rows = Array.from({ length: rowCount }, (_, at) => ({
      bank_id: 1002,
      resident_id: 20_000 + at,
      location_id: 1,
      name: `Made-up Resident ${at}`,
      apartment: String(at),
      email: `long${at}@example.org`,
      language: 'en',
    }));
    for (let at = 0; at < rowCount; at += 1000)
      await service.write('sund', (db) => insertResidents(db, 1002, rows.slice(at, at + 1000)));
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

  async function checkBound(page: Page): Promise<number> {
    const rows = await page.locator('main tbody tr').count();
    assert.ok(rows <= rowsPerPage, `${rows} rows`);
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    assert.ok(elements <= mostElements, `${elements} elements`);
    return rows;
  }

  for (const path of [residents, account])
    test(`[console.39] ${path} has as few elements on its last pages as on its first`, () =>
      inConsole(path, async ({ page, open }) => {
        assert.equal(await checkBound(page), rowsPerPage);
        // The account says how many there are; there are a few more residents.
        const [, total = String(rowCount)] =
          / of ([\d,]+)$/.exec(await page.locator('.pager > span').innerText()) ?? [];
        const least = Number(total.replaceAll(',', '')) - 1;
        assert.ok(least > rowCount / 3, total);
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('51–100').first().waitFor();
        assert.equal(await checkBound(page), rowsPerPage);
        await open(`${path}${path.includes('?') ? '&' : '?'}offset=${least - rowsPerPage}`);
        await waitUntilShown(page);
        assert.equal(await checkBound(page), rowsPerPage);
        await page.getByRole('button', { name: 'Previous' }).click();
        await page.waitForURL(new RegExp(`offset=${least - 2 * rowsPerPage}`));
        await waitUntilShown(page);
        assert.equal(await checkBound(page), rowsPerPage);
      }));

  test('[console.39] one of ten thousand residents is found by typing, and the rows are walked by keyboard', () =>
    inConsole(residents, async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('long9876@');
      await page.waitForURL(/filter=long9876/);
      await page.getByRole('link', { name: 'Made-up Resident 9876' }).waitFor();
      assert.equal(await checkBound(page), 1);
      await page.getByLabel('Filter').fill('');
      await page.getByText('1–50').waitFor();
      await waitUntilShown(page);
      const first = page.locator('tbody tr a[href*="/residents/"]').first();
      await first.focus();
      await page.keyboard.press('End');
      assert.equal(
        await page.evaluate('document.activeElement.textContent.trim()'),
        (await page.locator('tbody tr').last().locator('a').first().innerText()).trim(),
      );
    }));
});
