// The console in a browser, over the real service with its demo data: login and its end, addresses as the state of lists,
// what each manager is shown, and texts that look like markup.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { consoleFixture } from './support/built-console.ts';
import {
  demoPassword,
  launchBrowser,
  seedForConsole,
  waitUntilShown,
  withConsole,
  type ConsolePage,
} from './support/console-page.ts';
import { logInDemo, useSession } from './support/console-session.ts';

const { service, started } = consoleFixture();

const residents = '/banks/sund-B1001/residents';
const sessionKey = 'portal-console-session';

describe('the console in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    await started;
    await seedForConsole(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  type Options = Partial<Parameters<typeof withConsole>[1]>;
  const inConsole = (use: (opened: ConsolePage) => Promise<void>, options: Options = {}): Promise<void> =>
    withConsole(browser, { port: service.port, ...options }, use);

  const tokenOf = async (page: Page): Promise<string | undefined> => {
    const stored = await page.evaluate<string | null>(`sessionStorage.getItem('${sessionKey}')`);
    return stored === null ? undefined : (JSON.parse(stored) as { token: string }).token;
  };
  const addressOf = (page: Page): string => page.url().replace(/^.*\/console/, '');
  const firstCells = (page: Page): Promise<string[]> => page.locator('tbody tr td:first-child a').allInnerTexts();

  test('[console.53] manager and postings are asked for before texts and screen are there', () =>
    inConsole(async ({ page, open }) => {
      await useSession(page, await logInDemo(service));
      // Each of these answers comes only after the request that must not wait for it.
      const holdUntil = async (held: string, awaited: RegExp): Promise<void> => {
        const request = page.waitForRequest(awaited);
        await page.route(held, async (route) => {
          await request;
          await route.continue();
        });
      };
      await holdUntil('**/assets/en-*.js', /\/session\/me$/);
      await holdUntil('**/assets/account-screen-*.js', /\/account\?Period=0$/);
      await open('/banks/sund-B1001/account');
      await waitUntilShown(page);
      await page.getByRole('columnheader', { name: 'Amount' }).waitFor();
    }));

  test('[console.53] days are asked for once, in the time zone of the tenant', () =>
    inConsole(async ({ page, open, requests }) => {
      await useSession(page, await logInDemo(service));
      await open('/banks/sund-B1001/account?period=dates&from=2026-01-01&through=2026-01-31');
      await waitUntilShown(page);
      const asked = requests
        .filter((path) => path.startsWith('/api/') && path.includes('/account?'))
        .map((path) => path.replace(/^[^?]*/, ''));
      assert.deepEqual(asked, ['?From=2026-01-01&Through=2026-01-31&TimeZone=Europe%2FCopenhagen']);
    }));

  const apiRequests = (requests: readonly string[]): string[] => requests.filter((path) => path.startsWith('/api/'));

  test('[console.54] what the first screen reads is asked for before the console is loaded, and once', () =>
    inConsole(async ({ page, open, requests }) => {
      await useSession(page, await logInDemo(service));
      const early = ['/session/me', '/banks/sund-B1001/account?Period=0'];
      const asked = Promise.all(early.map((path) => page.waitForResponse((response) => response.url().endsWith(path))));
      await page.route('**/assets/console-*.js', async (route) => {
        await asked;
        await route.continue();
      });
      await open('/banks/sund-B1001/account');
      await waitUntilShown(page);
      await page.getByRole('columnheader', { name: 'Amount' }).waitFor();
      for (const path of early)
        assert.equal(apiRequests(requests).filter((each) => each.endsWith(path)).length, 1, path);
    }));

  test('[console.54] an early answer is not used for another manager, and nothing is asked without a session', () =>
    inConsole(async ({ page, open, requests }) => {
      await open('/banks/sund-B1001/account');
      assert.deepEqual(apiRequests(requests), []);
      await useSession(page, await logInDemo(service));
      const answered = page.waitForResponse((response) => response.url().endsWith('/session/me'));
      const reader = await logInDemo(service, 'reader');
      await page.route('**/assets/console-*.js', async (route) => {
        await answered;
        await page.evaluate(`sessionStorage.setItem('${sessionKey}', ${JSON.stringify(JSON.stringify(reader))})`);
        await route.continue();
      });
      await open('/');
      await waitUntilShown(page);
      await page.getByRole('button', { name: /^Reader/ }).waitFor();
      assert.equal(apiRequests(requests).filter((path) => path.endsWith('/session/me')).length, 2);
    }));

  test('[console.55] an account is shown from its answer alone: the answer has the time zones of its places', () =>
    inConsole(async ({ page, open, requests }) => {
      await useSession(page, await logInDemo(service));
      await page.route('**/banks/sund-B1001/locations*', (route) => route.abort());
      await open('/banks/sund-B1001/account');
      await page.locator('tbody tr').first().waitFor();
      assert.ok(!requests.some((path) => path.includes('/locations')));
    }));

  test('[console.07] a login leads to the address that was asked for, with its filter', () =>
    inConsole(async ({ page, open, logIn }) => {
      await open(`${residents}?filter=resident1%40&sort=name`);
      assert.match(addressOf(page), /^\/login\?next=/);
      await logIn('owner');
      await page.getByRole('heading', { level: 1, name: 'Residents' }).waitFor();
      assert.equal(addressOf(page), `${residents}?filter=resident1%40&sort=name`);
      await waitUntilShown(page);
      assert.deepEqual(await firstCells(page), ['Demo Resident 1']);
      assert.equal(await page.getByLabel('Filter').inputValue(), 'resident1@');
      assert.equal(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'ascending');
      // The token is this tab's alone.
      assert.ok(await tokenOf(page));
      assert.equal(await page.evaluate<number>('document.cookie.length'), 0);
      assert.ok(!(await page.evaluate<string>('JSON.stringify(localStorage)')).includes((await tokenOf(page)) ?? ''));
    }));

  test('a wrong password is told, and nothing else', () =>
    inConsole(
      async ({ page, open, logIn }) => {
        await open('/');
        await logIn('owner', 'wrong');
        await page.getByText('The user name or the password is wrong.').waitFor();
        assert.equal(await tokenOf(page), undefined);
      },
      { expected: [401] },
    ));

  test('[console.08] a logout ends the session for the service and the tab, and clears what was shown', () =>
    inConsole(async ({ page, open, logIn }) => {
      await open('/');
      await logIn('owner');
      await page.getByText('Needs attention').first().waitFor();
      const token = await tokenOf(page);
      await page.getByRole('button', { name: 'Your menu' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.getByText('You have logged out.').waitFor();
      assert.equal(await tokenOf(page), undefined);
      assert.equal((await service.call('GET', '/api/v1/session/me', { token })).status, 401);
      await page.goBack();
      await page.getByRole('heading', { name: 'Log in to the portal' }).waitFor();
      assert.equal(await page.getByText('Needs attention').count(), 0);
    }));

  test('[console.08] a session that the service has ended clears what was shown, and leads back after a login', () =>
    inConsole(
      async ({ page, open, logIn }) => {
        await open(residents);
        await logIn('owner');
        await page.getByText('Demo Resident 1', { exact: true }).waitFor();
        const token = await tokenOf(page);
        assert.equal((await service.call('POST', '/api/v1/session/logout', { token })).status, 204);
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('The session has ended. Log in again.').waitFor();
        assert.equal(await page.getByText('Demo Resident').count(), 0);
        await logIn('owner');
        await page.getByText('Demo Resident 60', { exact: true }).waitFor();
      },
      { expected: [401] },
    ));

  test('[console.08] a refusal for want of rights is shown in place of the data', () =>
    inConsole(
      async ({ page, open, logIn }) => {
        await open(residents);
        await logIn('clerk');
        await page.getByText('You may not see this').waitFor();
        assert.equal(await page.locator('tbody tr').count(), 0);
        await page.getByText('Details').click();
        assert.match(await page.locator('.problem').innerText(), /missing-user-read/);
        assert.match(await page.locator('.problem').innerText(), /Request [0-9a-f-]{36}/);
      },
      { expected: [403] },
    ));

  test('[console.09] what is unknown is shown as unknown, and asked for again only by the reader', () =>
    inConsole(async ({ page, open, logIn, requests }) => {
      await open('/banks');
      await logIn('owner');
      await page.getByText('Housing association Alder').first().waitFor();
      const users = /\/users(?:\?|$)/;
      await page.route(users, (route) => route.abort());
      // The page's own words for a failed request.
      page.removeAllListeners('console');
      await page.getByRole('link', { name: 'Housing association Alder' }).click();
      await page.getByRole('link', { name: 'Residents' }).click();
      await page.getByText('The portal does not answer').waitFor();
      const asked = (): number => requests.filter((url) => users.test(url)).length;
      assert.equal(asked(), 1);
      await page.unroute(users);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Demo Resident 1', { exact: true }).waitFor();
      assert.equal(asked(), 2);
    }));

  test('[console.09] while the storage is away, a screen says that it does not know', () =>
    inConsole(
      async ({ page, open, logIn }) => {
        await open(residents);
        await logIn('owner');
        await page.getByText('Demo Resident 1', { exact: true }).waitFor();
        await callWithoutStorage(service, async () => {
          await page.getByRole('link', { name: 'Bookings' }).click();
          await page.getByText('Not known at the moment').first().waitFor();
          assert.equal(await page.locator('tbody tr').count(), 0);
          return service.call('GET', '/livez');
        });
        await page.getByRole('button', { name: 'Try again' }).first().click();
        await page.locator('tbody tr').first().waitFor();
      },
      { expected: [503] },
    ));

  test('[console.15] the account tells that something has been posted, and shows it when the reader wants it', () =>
    inConsole(async ({ page, open, logIn, requests }) => {
      await page.clock.install();
      await open('/banks/sund-B1001/account');
      await logIn('owner');
      await waitUntilShown(page);
      const token = await tokenOf(page);
      const account = await service.call('GET', '/api/v1/banks/sund-B1001/account?Period=0', { token });
      const { items } = account.json as { items: { kid: string; reversible: boolean }[] };
      const entry = items.find(({ reversible }) => reversible);
      assert.ok(entry !== undefined);
      const reversals = page.getByText('Reversal', { exact: true });
      const reversalsBefore = await reversals.count();
      assert.equal(requests.filter((url) => url.includes('/account/revision')).length, 0);
      const path = `/api/v1/banks/sund-B1001/account/${entry.kid}/reversal`;
      assert.equal((await service.call('POST', path, { token })).status, 200);
      await page.clock.fastForward(31_000);
      await page.getByText('Something has been posted since.').waitFor();
      assert.equal(await reversals.count(), reversalsBefore);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('Something has been posted since.').waitFor({ state: 'detached' });
      await waitUntilShown(page);
      assert.equal(await reversals.count(), reversalsBefore + 1);
    }));

  test('[console.56] a press is shown before the next screen is, and the address changes at once', () =>
    inConsole(async ({ page, open }) => {
      await useSession(page, await logInDemo(service));
      const openTab = async (name: string): Promise<void> => {
        await page.locator('nav.tabs').getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await waitUntilShown(page);
      };
      await open(residents);
      await waitUntilShown(page);
      // Nothing is left to load.
      await openTab('Account');
      await openTab('Residents');
      const pressed = await page.evaluate<{ path: string; entries: number; shownAfterMs: number }>(`(async () => {
        // No frame is painted any more: the screen is shown when the console has waited for one.
        window.requestAnimationFrame = () => 0;
        const link = document.querySelector('nav.tabs a[href$="/account"]');
        const [before, from] = [history.length, performance.now()];
        const shown = new Promise((resolve) => {
          const isShown = () => document.querySelector('main h1')?.textContent.startsWith('Account');
          new MutationObserver(() => isShown() && resolve(performance.now() - from)).observe(document.body, {
            childList: true,
            characterData: true,
            subtree: true,
          });
        });
        link.click();
        link.click();
        await undefined;
        const { pathname: path } = location;
        const entries = history.length - before;
        return { path, entries, shownAfterMs: await shown };
      })()`);
      assert.deepEqual([pressed.path, pressed.entries], ['/console/banks/sund-B1001/account', 1]);
      assert.ok(pressed.shownAfterMs > 95, `after ${pressed.shownAfterMs} ms`);
    }));

  test('[console.10] filter, order and page of a list are its address, and Back undoes them', () =>
    inConsole(async ({ page, open, logIn }) => {
      await open(residents);
      await logIn('owner');
      await page.getByText('1–50').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('51–100').waitFor();
      assert.equal(addressOf(page), `${residents}?offset=50`);
      const second = await firstCells(page);
      await page.getByRole('button', { name: 'Name' }).click();
      await page.getByText('1–50').waitFor();
      assert.equal(addressOf(page), `${residents}?sort=name`);
      await page.goBack();
      await page.getByText('51–100').waitFor();
      assert.deepEqual(await firstCells(page), second);
      await page.keyboard.press('/');
      await page.keyboard.type('resident12@');
      await page.waitForURL(/filter=resident12%40$/);
      await waitUntilShown(page);
      assert.deepEqual(await firstCells(page), ['Demo Resident 12']);
      await page.getByLabel('State').selectOption('deleted');
      await page.waitForURL(/state=deleted/);
      await page.reload();
      await waitUntilShown(page);
      assert.equal(await page.getByLabel('State').inputValue(), 'deleted');
      assert.equal(await page.getByLabel('Filter').inputValue(), 'resident12@');
    }));

  test('[console.11] a text that looks like markup is shown as text', () =>
    inConsole(async ({ page, open, logIn }) => {
      const login = await service.call('POST', '/api/v1/session/login', {
        body: { userName: 'owner', password: demoPassword },
      });
      const { accessToken: token } = login.json as { accessToken: string };
      const name = '<img src=x onerror=alert(1)>{name}&amp;<script>alert(2)</script>';
      const path = '/api/v1/banks/sund-B1001/users/sund-B1001-R1003';
      const { json } = await service.call('GET', path, { token });
      const { revision } = json as { revision: string };
      const renamed = await service.call('POST', `${path}/commands/SetName`, {
        token,
        body: { expectedRevision: revision, value: name },
      });
      assert.equal(renamed.status, 200);
      await open(`${residents}?filter=onerror`);
      await logIn('owner');
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      assert.equal(await page.locator('main img').count(), 0);
      assert.match(await page.title(), /^<img src=x/);
    }));

  test('[console.12] a manager is shown only what they may do', async () => {
    const shown = async (userName: string): Promise<string[]> => {
      let links: string[] = [];
      await inConsole(async ({ page, open, logIn }) => {
        await open('/');
        await logIn(userName);
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        links = await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allInnerTexts();
      });
      return links.map((link) => link.trim());
    };
    const everybody = ['Home', 'Statistics'];
    assert.deepEqual(await shown('notabs'), everybody);
    assert.deepEqual(await shown('location'), ['Home', 'Housing associations', 'Statistics']);
    const owner = await shown('owner');
    for (const name of ['Managers', 'Installers', 'Services', 'Audit log', 'Live logs', 'Server logs', 'Measurements'])
      assert.ok(owner.includes(name), name);
    await inConsole(async ({ page, open, logIn }) => {
      await open('/banks/sund-B1001');
      await logIn('location');
      await waitUntilShown(page);
      const locations = page.getByRole('table', { name: 'Locations' }).locator('tbody tr td:first-child a');
      assert.deepEqual(await locations.allInnerTexts(), ['Alder house A']);
      const tabs = await page
        .getByRole('navigation', { name: 'Housing association Alder' })
        .getByRole('link')
        .allInnerTexts();
      assert.deepEqual(tabs, ['Locations', 'Residents', 'Account', 'Bookings', 'Documents', 'Held lines']);
    });
  });

  test('the reader chooses language, colours and density, and they stay', () =>
    inConsole(
      async ({ page, open }) => {
        await open('/login');
        assert.equal(await page.evaluate('document.documentElement.lang'), 'pl');
        await page.getByLabel('Język').selectOption('da');
        await page.getByRole('heading', { name: 'Log ind på portalen' }).waitFor();
        await page.getByLabel('Brugernavn').fill('reader');
        await page.getByLabel('Adgangskode').fill(demoPassword);
        await page.getByRole('button', { name: 'Log ind' }).click();
        await page.getByText('Kræver opmærksomhed').first().waitFor();
        await page.getByRole('button', { name: 'Din menu' }).click();
        await page.getByRole('menuitemradio', { name: 'Kompakt' }).click();
        await page.reload();
        await page.getByText('Kræver opmærksomhed').first().waitFor();
        assert.equal(await page.evaluate('document.documentElement.lang'), 'da');
        assert.equal(await page.evaluate('document.documentElement.dataset.density'), 'compact');
        // The service answers in that language too.
        await open('/locations/sund-B1001-L1');
        await page.getByRole('link', { name: 'Vaskemaskine 1' }).waitFor();
      },
      { locale: 'pl' },
    ));

  test('[console.13] rows, filter and help are reached by keyboard', () =>
    inConsole(async ({ page, open, logIn }) => {
      await open('/banks');
      await logIn('owner');
      await waitUntilShown(page);
      await page.getByRole('link', { name: 'Housing association Alder' }).focus();
      await page.keyboard.press('ArrowDown');
      const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
      assert.equal(await focused(), 'Housing association Birch');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await focused(), 'Housing association Birch');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Locations' }).waitFor();
      await page.waitForFunction("document.activeElement.tagName === 'H1'");
      await page.keyboard.press('/');
      assert.equal(await page.evaluate('document.activeElement.type'), 'search');
    }));

  test('[console.16] the map has each location where its coordinates are, and a list for those who do not see it', () =>
    inConsole(async ({ page, open, logIn, requests }) => {
      await open('/banks/sund-B1001');
      await logIn('owner');
      await waitUntilShown(page);
      await page.getByLabel('Show').selectOption({ label: 'Map' });
      await page.waitForURL(/view=map$/);
      await waitUntilShown(page);
      const token = await tokenOf(page);
      const { json } = await service.call('GET', '/api/v1/banks/sund-B1001/locations', { token });
      const { items } = json as { items: { name: string; latitude: number | null }[] };
      const namesOf = (isPlaced: boolean): string[] =>
        items.filter(({ latitude }) => (latitude !== null) === isPlaced).map(({ name }) => name);
      assert.ok(namesOf(true).length > 1 && namesOf(false).length > 0);
      const listed = page.locator('main ol:not(nav *)');
      assert.deepEqual(
        (await listed.locator('.named').allInnerTexts()).map((text) => text.trim()),
        namesOf(true),
      );
      assert.equal(await page.locator('g:has(> circle)').count(), namesOf(true).length);
      const unplaced = page.locator('section', { has: page.getByRole('heading', { name: 'Without coordinates' }) });
      assert.deepEqual(
        (await unplaced.last().locator('.named').allInnerTexts()).map((text) => text.trim()),
        namesOf(false),
      );
      // The northern one is above the southern one.
      const [first, second] = items.filter(({ latitude }) => latitude !== null);
      const topOf = async (at: number): Promise<number> =>
        (await page.locator('g:has(> circle)', { hasText: new RegExp(`${at}$`) }).boundingBox())?.y ?? 0;
      assert.equal((first?.latitude ?? 0) > (second?.latitude ?? 0), (await topOf(1)) < (await topOf(2)));
      // The keyboard marks the place on the map; the mark leads to it in the list.
      await listed.locator('.named').nth(1).focus();
      assert.match(await page.locator('g[data-active]').innerHTML(), new RegExp(`>${second?.name}<`));
      await page.locator('g:has(> circle)').first().click();
      assert.equal(await page.evaluate('document.activeElement.textContent'), namesOf(true)[0]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: namesOf(true)[0] ?? '' }).waitFor();
      assert.equal(requests.filter((url) => !url.startsWith('/')).length, 0);
    }));

  test('files are downloaded under the names that the service gives them', () =>
    inConsole(async ({ page, open, logIn }) => {
      await open('/banks/sund-B1001/settlements');
      await logIn('owner');
      await waitUntilShown(page);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download ZIP Period 26' }).click(),
      ]);
      assert.match(file.suggestedFilename(), /^[\w.-]+\.zip$/);
      assert.equal(await file.failure(), null);
    }));

  test('[console.04] the first view takes six requests at most, and each further screen few', () =>
    inConsole(async ({ page, open, logIn, requests }) => {
      await open('/');
      await page.waitForLoadState('networkidle');
      assert.ok(requests.filter((url) => url.startsWith('/')).length <= 6, requests.join(' '));
      await logIn('owner');
      await waitUntilShown(page);
      assert.deepEqual(apiRequests(requests), [
        '/api/v1/session/login',
        '/api/v1/tenant/status/page?pageSize=25&offset=0',
      ]);
      await open('/');
      await waitUntilShown(page);
      await page.waitForLoadState('networkidle');
      // Five files and two operations, were nothing in the cache.
      const asked = requests.filter((url) => url.startsWith('/'));
      assert.ok(asked.length <= 7 && apiRequests(asked).length <= 2, asked.join(' '));
      // The page itself, and what the browser does not have yet.
      const sent = await page.evaluate<string[]>(
        "performance.getEntriesByType('resource').filter((each) => each.transferSize > 0).map((each) => each.name)",
      );
      assert.ok(1 + sent.length <= 6, sent.join(' '));
      assert.ok(sent.some((url) => url.endsWith('/session/me')));
    }));
});
