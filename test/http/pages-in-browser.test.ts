// The pages for people in a browser: axe finds nothing against them, in light and dark, on wide screens and narrow ones;
// and what the reference page does for its readers.

import axe from 'axe-core';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { cyclesAt, documentKidOf, documentPath, report, unitAt } from '../documents/support/reports.ts';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { noBrowser } from '../support/browser.ts';
import { insertTestBank, insertTestManager } from '../support/factories.ts';
import { findProgram } from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { settlementsPath } from '../support/settlements.ts';
import { dayMs, hourMs } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

const suite = serviceFixture('sqlite', { demo: true });
const { service, manager, started, nextBankId } = suite;
const now = toMs2000(Date.now());

const views = (['light', 'dark'] as const).flatMap((scheme) => [1280, 390].map((width) => ({ scheme, width })));
type View = (typeof views)[number];

const userName = 'anna';
const password = 'right';
const imageOperation = 'GetBrandLogoWithBackground';

async function printDocument(): Promise<string> {
  const bankId = nextBankId();
  await service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1] } }));
  const unit = unitAt(bankId, 1, 1);
  await report(service, unit, { cycles: cyclesAt(1, [now - 5 * hourMs, now - 4 * hourMs]), syncedThrough: now });
  return documentPath(documentKidOf(unit, 1), 'table.html');
}

async function printSettlement(): Promise<string> {
  const book = await newBank(suite, { openedAt: now - 30 * dayMs });
  await recordInBoth(service, book, [
    postingDraft(now - dayMs, { amountMinor: 123_456n, currency: 'DKK', locationId: 1 }),
  ]);
  const period = await closePeriodInBoth(service, book, now - hourMs);
  return settlementsPath(book, `/${period}/settlement.html`);
}

describe('pages in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  /** Paths of pages that are made to be printed. */
  let printed: readonly string[];
  before(async () => {
    await started;
    const passwordHash = await service.dependencies.passwordHasher.hash(password);
    await service.write('sund', (db) => insertTestManager(db, { userName, passwordHash }));
    printed = [await printDocument(), await printSettlement()];
    const executablePath = findProgram('chromium') ?? '';
    const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.localhost 127.0.0.1'];
    browser = await chromium.launch({ executablePath, args });
  });
  after(() => browser.close());

  const urlOf = (path: string): string => `http://api.sund.localhost:${service.port}${path}`;

  /** `refusals` are what the policies of the pages have refused. */
  async function withPage(
    { scheme, width }: View,
    use: (page: Page, refusals: readonly string[]) => Promise<void>,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<void> {
    const context: BrowserContext = await browser.newContext({
      ...options,
      colorScheme: scheme,
      viewport: { width, height: 900 },
    });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const refusals: string[] = [];
      page.on('console', (message) => /Security Policy/.test(message.text()) && refusals.push(message.text()));
      page.on('pageerror', ({ message }) => refusals.push(message));
      await use(page, refusals);
      assert.deepEqual(refusals, []);
    } finally {
      await context.close();
    }
  }

  /** Every rule of axe's default set; and nothing overflows. */
  async function check(page: Page, name: string): Promise<void> {
    await page.evaluate(axe.source);
    const violations = await page.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + " " + html.slice(0, 150))))',
    );
    assert.deepEqual(violations, [], name);
    const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate(width), 0, `${name} is wider than the window`);
  }

  const openReference = async (page: Page, rest = ''): Promise<void> => {
    await page.goto(urlOf(`/docs${rest}`));
    await page.locator('#operations details').first().waitFor();
  };
  async function logIn(page: Page, used = password): Promise<void> {
    await page.getByLabel('User name').fill(userName);
    await page.getByLabel('Password').fill(used);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  for (const view of views) {
    const name = `${view.scheme}, ${view.width} pixels`;

    test(`axe finds nothing against the reference page: ${name}`, () =>
      withPage(view, async (page) => {
        await openReference(page, '?document=all');
        await check(page, 'overview');
        await logIn(page, 'wrong');
        await page.getByText('The user name or password is wrong.').waitFor();
        await check(page, 'login form with a problem');
        await logIn(page);
        await page.getByRole('button', { name: 'Log out' }).waitFor();
        await page.getByLabel('Search operations').fill('SetUnitSetting');
        await page.getByRole('link', { name: /SetUnitSetting/ }).click();
        await page.locator('.request').waitFor();
        await check(page, 'operation');
        const closed = page.locator('main > details:not([open]) > summary');
        while ((await closed.count()) > 0) await closed.first().click();
        await check(page, 'operation with every answer open');
      }));

    test(`axe finds nothing against the other pages: ${name}`, async () => {
      const paths = ['/', '/download', '/nothing', ...printed];
      const extraHTTPHeaders = { accept: 'text/html', authorization: `Bearer ${manager.token}` };
      for (const path of paths) {
        await withPage(
          view,
          async (page) => {
            const answer = await page.goto(urlOf(path));
            assert.equal(answer?.status(), path === '/nothing' ? 404 : 200, path);
            assert.equal(await page.locator('h1').count(), 1, path);
            await check(page, path);
          },
          { extraHTTPHeaders },
        );
      }
    });
  }

  const [view = { scheme: 'light', width: 1280 }] = views;

  test('the token of a login outlives a change of the document and a reload, and ends with the logout', () =>
    withPage(view, async (page) => {
      const bearerOfMe = async (): Promise<string | undefined> => {
        await page.getByLabel('Search operations').fill('GetCurrentManager');
        await page.getByRole('link', { name: /GetCurrentManager/ }).click();
        const [request] = await Promise.all([
          page.waitForRequest(/session\/me$/),
          page.getByRole('button', { name: 'Send' }).click(),
        ]);
        await page.getByText('Answer of the service').waitFor();
        return request.headers()['authorization'];
      };
      await openReference(page, '?document=portal');
      assert.equal(await bearerOfMe(), undefined);
      await logIn(page);
      await page.getByRole('button', { name: 'Log out' }).waitFor();
      const bearer = await bearerOfMe();
      assert.match(String(bearer), /^Bearer \S{20,}$/);
      await page.getByText('200 OK').waitFor();
      await page.getByLabel('Document').selectOption('all');
      await page.getByLabel('Search operations').fill('GetPublicStatus');
      await page.getByRole('link', { name: /GetPublicStatus/ }).waitFor();
      assert.equal(await bearerOfMe(), bearer);
      await page.reload();
      assert.equal(await bearerOfMe(), bearer);
      assert.equal(await page.evaluate('localStorage.length + document.cookie.length'), 0);
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      assert.equal(await bearerOfMe(), undefined);
      const answer = await service.call('GET', '/api/v1/session/me', { token: String(bearer).slice('Bearer '.length) });
      assert.equal(answer.status, 401);
    }));

  test('a wrong password is refused with the text of the problem, and sends no token', () =>
    withPage(view, async (page) => {
      await openReference(page);
      await logIn(page, 'wrong');
      await page.getByRole('alert').getByText('The user name or password is wrong.').waitFor();
      assert.equal(await page.evaluate('sessionStorage.length'), 0);
    }));

  test('a public operation gets no token, a picture is shown, and the command names the host of the page', () =>
    withPage(view, async (page) => {
      await openReference(page, '?document=portal');
      await logIn(page);
      await page.getByRole('button', { name: 'Log out' }).waitFor();
      await openReference(page, `?document=public#${imageOperation}`);
      const [request] = await Promise.all([
        page.waitForRequest(/logos\/brand\//),
        page.getByRole('button', { name: 'Send' }).click(),
      ]);
      assert.equal(request.headers()['authorization'], undefined);
      await page.getByRole('img', { name: /The answer as a picture/ }).waitFor();
      assert.ok(Number(await page.evaluate('document.querySelector(".answer img").naturalWidth')) > 0);
      await page.getByText('As a command').click();
      assert.ok(
        (await page.locator('pre').allInnerTexts()).some((text) => text.startsWith(`curl '${urlOf('/api/v1/')}`)),
      );
    }));

  test('success is open and problems are closed', () =>
    withPage(view, async (page) => {
      await openReference(page, '?document=portal#SetUnitSetting');
      await page.locator('.request').waitFor();
      const answers = await page.evaluate<[string, boolean][]>(
        '[...document.querySelectorAll("main > details:has(> summary > strong)")].map((part) => [part.querySelector("summary strong").textContent, part.open])',
      );
      assert.ok(answers.length > 5);
      for (const [status, isOpen] of answers) assert.equal(isOpen, status.startsWith('2'), status);
    }));

  test('a search finds operations by every word of their name, path or text', () =>
    withPage(view, async (page) => {
      await openReference(page, '?document=all');
      await page.getByLabel('Search operations').fill('UNIT icons');
      const found = await page.locator('#operations li a').allInnerTexts();
      assert.ok(found.some((text) => text.includes('GetUnitIcons')));
      assert.ok(!found.some((text) => text.includes('LoginManager')));
      await page.getByLabel('Search operations').fill('no such operation');
      await page.getByText(/^0 of \d+ operations$/).waitFor();
    }));

  test('the keyboard reaches an operation and its form, and the heading gets the focus', () =>
    withPage(view, async (page) => {
      await openReference(page);
      await page.getByLabel('Search operations').fill('GetCurrentManager');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('.request').waitFor();
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'GetCurrentManager');
    }));
});
