// Every screen of the console in a browser, light and dark: axe finds nothing against it, it fits the narrowest windows,
// and it leaves no message.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { consoleFixture } from './support/built-console.ts';
import { checkView, checkViews, loadAxe } from './support/check-views.ts';
import { consoleScreens } from './support/console-screens.ts';
import { demoPassword, launchBrowser, seedForConsole, waitUntilShown, withConsole } from './support/console-page.ts';

const { service, started } = consoleFixture();

/** The cumulative layout shift that readers do not notice (a fifth of what Core Web Vitals call good). */
const mostShift = 0.02;
const watchShifts = `window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

describe('the screens of the console', { skip: noBrowser }, () => {
  let browser: Browser;
  let session: string;
  before(async () => {
    await started;
    await seedForConsole(service);
    const { json } = await service.call('POST', '/api/v1/session/login', {
      body: { userName: 'owner', password: demoPassword },
    });
    const { accessToken: token, expiresAtUtc } = json as { accessToken: string; expiresAtUtc: string };
    session = JSON.stringify({ token, expiresAtUtc });
    browser = await launchBrowser();
  });
  after(() => browser.close());

  test('[console.14] the login screen', () =>
    withConsole(browser, { port: service.port }, async ({ page, open }) => {
      await open('/login');
      await checkViews(page);
    }));

  for (const [path, heading] of consoleScreens)
    test(`[console.14] ${path}`, () =>
      withConsole(browser, { port: service.port }, async ({ page, open }) => {
        await page.addInitScript(`sessionStorage.setItem('portal-console-session', ${JSON.stringify(session)})`);
        await page.addInitScript(watchShifts);
        await open(path);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await waitUntilShown(page);
        const shift = await page.evaluate<number>('window.shift');
        assert.ok(shift <= mostShift, `the layout has shifted by ${shift}`);
        assert.equal(await page.locator('h1').count(), 1);
        assert.equal(await page.locator('.problem').count(), 0);
        assert.ok((await page.title()).startsWith(`${heading} – `) || heading === 'Account');
        await checkViews(page);
      }));

  test('[console.14] a document, with its graph and its table', () =>
    withConsole(browser, { port: service.port }, async ({ page, open }) => {
      await page.addInitScript(`sessionStorage.setItem('portal-console-session', ${JSON.stringify(session)})`);
      await page.addInitScript(watchShifts);
      await open(`/banks/sund-B1001/documents?days=7`);
      await waitUntilShown(page);
      await open((await page.locator('tbody a').first().getAttribute('href'))?.replace('/console', '') ?? '');
      const graph = page.getByRole('img', { name: /^Graph of the measurements/ });
      await graph.waitFor();
      await waitUntilShown(page);
      const shift = await page.evaluate<number>('window.shift');
      assert.ok(shift <= mostShift, `the layout has shifted by ${shift}`);
      assert.ok((await page.locator('tbody tr').count()) > 0);
      // Rejects if it is not a picture.
      await graph.evaluate((image: { decode(): Promise<void> }) => image.decode());
      await checkViews(page);
    }));

  for (const language of ['da', 'pl', 'is'] as const)
    test(`[console.14] screens in ${language} have room for their texts`, () =>
      withConsole(browser, { port: service.port, locale: language }, async ({ page, open }) => {
        await page.addInitScript(`sessionStorage.setItem('portal-console-session', ${JSON.stringify(session)})`);
        for (const path of ['/', `/banks/sund-B1001/account`, '/locations/sund-B1001-L1']) {
          await open(path);
          await waitUntilShown(page);
          assert.equal(await page.evaluate('document.documentElement.lang'), language);
          await checkViews(page);
        }
      }));

  test('[console.14] the menu, the navigation of narrow windows and the help', () =>
    withConsole(browser, { port: service.port }, async ({ page, open }) => {
      await page.addInitScript(`sessionStorage.setItem('portal-console-session', ${JSON.stringify(session)})`);
      await open('/banks');
      await waitUntilShown(page);
      await loadAxe(page);
      await page.getByRole('button', { name: 'Your menu' }).click();
      await page.getByRole('menu').waitFor();
      await checkView(page, 'menu');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await checkView(page, 'help');
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 320, height: 700 });
      await page.getByRole('button', { name: 'Open the navigation' }).click();
      await page.getByRole('dialog', { name: 'Main navigation' }).waitFor();
      await checkView(page, 'navigation');
      await page.getByRole('dialog').getByRole('link', { name: 'Statistics' }).click();
      await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
    }));
});
