// What the console says when a request fails, each request of each main screen in turn, and in each way that requests fail:
// no number that is wrong, nothing that was typed is lost, and all is there when it is tried again.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { noBrowser } from '../support/browser.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { waitUntil } from '../support/async.ts';
import { consoleFixture } from './support/built-console.ts';
import { demoPassword, launchBrowser, waitUntilShown, withConsole, type ConsolePage } from './support/console-page.ts';
import { failRequest, failureNames, installFaults, readClaims } from './support/failed-requests.ts';

// A tenant in another zone than most: a time in a zone that was guessed would be wrong.
const tenant = 'island';
const { service, started } = consoleFixture('sqlite', { tenants: [tenant] });

const bank = `/banks/${tenant}-B1001`;
const unit = `/units/${tenant}-B1001-L1-U2?group=Operation`;

const screens = [
  '/',
  '/banks',
  bank,
  `/locations/${tenant}-B1001-L1`,
  unit,
  `${bank}/residents`,
  `${bank}/residents/${tenant}-B1001-R1001`,
  `${bank}/residents/${tenant}-B1001-R1001/receipts`,
  `${bank}/account`,
  `${bank}/bookings`,
  `${bank}/settlements`,
  `${bank}/settlements/26`,
  `${bank}/documents?days=7`,
  `${bank}/computers`,
  `${bank}/held-lines?state=all`,
  '/imports/new',
  `/managers/${tenant}-M1005`,
  '/statistics',
  '/profile',
] as const;

/** A command, what is typed into its field, and the request that fails. */
const commands: readonly (readonly [path: string, label: string, typed: string, button: string])[] = [
  [`${unit}&do=set.MaxTemperature`, 'Value', '61', 'Save'],
  [`${bank}?do=address`, 'Street and number', 'Made-up Lane 7', 'Save'],
  [`${bank}/residents/${tenant}-B1001-R1002?do=SetName`, 'Name', 'Made-up Name', 'Save'],
  ['/imports/profiles?do=new-profile', 'Whole profile', '{ "name": "made-up", "kind": "residents" }', 'Save'],
];

/** Both versions of what somebody else has changed meanwhile. */
const conflict = 'fieldset:has([name^="conflict-"])';

const sessionKey = 'portal-console-session';

describe('failing requests', { skip: noBrowser }, () => {
  let browser: Browser;
  let session: string;
  before(async () => {
    await started;
    await seedDemoTenant(service.dependencies.databases.forTenant(tenant), tenant, {
      now: toMs2000(Date.now()),
      postings: 500,
    });
    browser = await launchBrowser();
    session = await logIn();
  });
  after(() => browser.close());

  async function logIn(): Promise<string> {
    const { json } = await service.call('POST', '/api/v1/session/login', {
      host: `api.${tenant}.localhost`,
      body: { userName: 'owner', password: demoPassword },
    });
    const { accessToken: token, expiresAtUtc } = json as { accessToken: string; expiresAtUtc: string };
    return JSON.stringify({ token, expiresAtUtc });
  }

  const inConsole = (use: (opened: ConsolePage) => Promise<void>): Promise<void> =>
    withConsole(
      browser,
      {
        port: service.port,
        host: `api.${tenant}.localhost`,
        timezoneId: 'Asia/Tokyo',
      },
      async (opened) => {
        await opened.page.addInitScript(
          `if (sessionStorage.getItem('${sessionKey}') === null && sessionStorage.getItem('ended') === null)
             sessionStorage.setItem('${sessionKey}', ${JSON.stringify(session)});`,
        );
        // The browser’s own words for a connection that was cut.
        opened.page.removeAllListeners('console');
        const complaints: string[] = [];
        opened.page.on('console', (message) => {
          if (!message.text().startsWith('Failed to load resource: ')) complaints.push(message.text());
        });
        await use(opened);
        assert.deepEqual(complaints, []);
      },
    );

  /** Either the screen with all its parts, or the login. */
  async function waitUntilSettled(page: Page): Promise<void> {
    await page.locator('#main h1, #main .problem, main:not(#main)').first().waitFor();
    await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
    await waitUntil('the screen says the same twice', async () => {
      const told = JSON.stringify(await readTold(page));
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 30))');
      const isRead = (await page.locator('.skeleton, [aria-busy="true"]').count()) === 0;
      return isRead && JSON.stringify(await readTold(page)) === told;
    });
  }

  /**
   * The tenant’s zone has the time of UTC: a time that names UTC, since its zone is unknown, is right. So is a KID in
   * place of a name that could not be read.
   */
  const readTold = async (page: Page): Promise<string[]> =>
    (await readClaims(page))
      .map((claim) => claim.replace(/ UTC$/, '').replaceAll(/island-B\d+(?:-[A-Z]\d+)*(?:, )?/g, ''))
      .filter((claim) => claim !== '');

  const without = (claims: readonly string[], known: readonly string[]): string[] =>
    claims.filter((claim) => !known.includes(claim));

  for (const path of screens)
    test(`[console.37] no request that fails makes ${path} say what is wrong`, () =>
      inConsole(async ({ page, open }) => {
        const faults = await installFaults(page);
        faults.begin();
        await open(path);
        await waitUntilShown(page);
        await waitUntilSettled(page);
        const healthy = await readTold(page);
        const requests = [...faults.seen];
        assert.ok(requests.length >= 1 && requests.length <= 6, requests.join(' '));
        for (const at of requests.keys())
          for (const failure of failureNames) {
            const name = `${requests[at]} ${failure}`;
            faults.begin(at, failure);
            await page.goto(page.url().replace(/\/console\/.*$/, `/console${path}`));
            await waitUntilSettled(page);
            assert.ok(faults.seen.length > at, `${name} was not asked for`);
            if (failure === '401') {
              await page.getByText('The session has ended. Log in again.').waitFor();
              assert.equal(await page.locator('#main').count(), 0, name);
              continue;
            }
            assert.deepEqual(without(await readTold(page), healthy), [], name);
            const retry = page.getByRole('button', { name: 'Try again' });
            faults.begin();
            // What only names something is left out without a word.
            if ((await retry.count()) === 0) continue;
            for (let tries = 0; (await retry.count()) > 0; tries += 1) {
              assert.ok(tries < 6, `${name} is asked for again and again`);
              await retry.first().click();
              await waitUntilSettled(page);
            }
            assert.deepEqual(without(healthy, await readTold(page)), [], `${name}, tried again`);
          }
      }));

  for (const [path, label, typed, button] of commands)
    test(`[console.22, console.37] no refusal loses what was typed in ${path}`, () =>
      inConsole(async ({ page, open, logIn: logInByHand }) => {
        let failure: (typeof failureNames)[number] = 'cut';
        let sent = 0;
        await page.route('**/api/v1/**', (route) => {
          const request = route.request();
          if (request.method() === 'GET' || request.url().includes('/session/')) return route.continue();
          sent += 1;
          return failRequest(route, failure);
        });
        await open(path);
        for (failure of failureNames) {
          const dialog = page.getByRole('dialog');
          const field = dialog.getByLabel(label, { exact: true });
          await field.waitFor();
          await field.fill(typed);
          const sentBefore = sent;
          const retry = dialog.getByRole('button', { name: 'Try again' });
          await ((await retry.count()) > 0 ? retry : dialog.getByRole('button', { name: button })).click();
          await waitUntil('the request was sent', () => sent > sentBefore);
          if (failure === '401') {
            await page.getByText('The session has ended. Log in again.').waitFor();
            await logInByHand('owner');
          } else await dialog.locator(`.problem, ${conflict}`).first().waitFor();
          const side = dialog.locator(conflict, { hasText: typed });
          await field.or(side).first().waitFor();
          if ((await side.count()) > 0) {
            await side.locator('label', { hasText: typed }).click();
            await dialog.getByRole('button', { name: 'Continue with this' }).click();
          }
          assert.equal(await field.inputValue(), typed, failure);
        }
        assert.ok(sent >= failureNames.length);
      }));
});
