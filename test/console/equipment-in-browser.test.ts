// Computers and held lines in the console, in a browser over the real service.
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
import { logInDemo, useSession, type ConsoleSession } from './support/console-session.ts';
import { addComputer, holdLines } from './support/equipment-data.ts';

const { service, started } = consoleFixture();

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

  test('[console.32] a computer is created, and its code is shown once, as a text and as a QR code', () =>
    inConsole({ path: `${bank}/computers` }, async ({ page }) => {
      await page.getByRole('button', { name: 'New computer' }).click();
      const dialog = page.getByRole('dialog', { name: 'New computer' });
      await dialog.getByLabel('Name').fill('Attic gateway');
      await dialog.getByLabel('Location').selectOption('sund-B1001-L2');
      await dialog.getByRole('checkbox').first().check();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'New computer' }).click();
      await dialog.getByRole('img', { name: 'The code as a QR code' }).waitFor();
      const code = await dialog.locator('p:has(button) > code').innerText();
      assert.match(code, /^[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}$/);
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      const kept =
        'JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), location.href, history.state])';
      assert.ok(!(await page.evaluate<string>(kept)).includes(code));
      // It works, and it is gone for good.
      const enrolled = await service.call('POST', '/equipment/v1/enrol', {
        body: { code, serial: 'SN-2', software: '1.0' },
      });
      assert.equal(enrolled.status, 200);
      await page.reload();
      await waitUntilShown(page);
      assert.ok(!(await page.locator('body').innerText()).includes(code));
      await page.keyboard.press('Escape');
      await page.getByRole('row', { name: /Attic gateway/ }).waitFor();
    }));

  test('[console.32] a name that is taken is told at the field, and nothing that was typed is lost', () =>
    inConsole({ path: `${bank}/computers?do=create`, expected: [409] }, async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'New computer' });
      await dialog.getByLabel('Name').fill('Cellar gateway');
      await dialog.getByRole('button', { name: 'New computer' }).click();
      await dialog.getByText('Another computer has this name.').first().waitFor();
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'Cellar gateway');
    }));

  /** The role of what has the focus at the moment when the first such element appears, before any frame is drawn. */
  const focusAtFirst = (page: Page, selector: string): Promise<string | null> =>
    page.evaluate(`new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector(${JSON.stringify(selector)}) === null) return;
        observer.disconnect();
        resolve(document.activeElement.getAttribute('role'));
      }).observe(document, { childList: true, subtree: true });
    })`);

  test('[console.32] a computer gets another code, and is revoked for good', async () => {
    const { kid } = await addComputer(service, { ...owner, name: 'Old gateway', units: ['1-3'] });
    await inConsole({ path: `/computers/${kid}` }, async ({ page }) => {
      await page.getByRole('button', { name: 'New code' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('the computer that is connected now is refused').waitFor();
      const focused = focusAtFirst(page, 'p:has(button) > code');
      await dialog.getByRole('button', { name: 'New code' }).click();
      assert.equal(await focused, 'dialog', 'the focus stays in the dialog when its fields give way to the code');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByText('1 unit is no longer connected.').waitFor();
      await dialog.getByText('This cannot be undone.').waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Old gateway was revoked.').waitFor();
      await page.getByText('Revoked', { exact: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'New code' }).count(), 0);
    });
  });

  test('[console.32] a held line is posted for a resident after a preview, one as it stands, and one is discarded', async () => {
    await holdLines(service, computer.key, { first: 5 });
    await inConsole({ path: `${bank}/held-lines`, expected: [400, 422] }, async ({ page }) => {
      const dialog = page.getByRole('dialog');
      const open = (text: RegExp): Promise<void> =>
        page.getByRole('row', { name: text }).first().getByRole('button', { name: 'Resolve' }).click();
      await open(/FFFF0001/);
      await dialog.getByLabel('What to do').selectOption('assign');
      assert.equal(await dialog.getByRole('button', { name: 'Post the line' }).getAttribute('aria-disabled'), 'true');
      await dialog.getByLabel('Find a resident').fill('resident12@');
      await dialog.locator('option', { hasText: 'Demo Resident 12' }).waitFor({ state: 'attached' });
      await dialog.getByLabel('Resident', { exact: true }).selectOption('sund-B1001-R1012');
      await dialog.getByText('-DKK\u00a015.00').waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'Post the line' }).click();
      await page.getByText('The line has been posted.').waitFor();

      await open(/FFFF0002/);
      await dialog.getByText('Guest').first().waitFor();
      await dialog.getByRole('button', { name: 'Post the line' }).click();
      await dialog.waitFor({ state: 'detached' });

      await open(/nonsense/);
      await dialog.getByLabel('What to do').selectOption('discard');
      await dialog.getByRole('button', { name: 'Discard the line' }).click();
      await dialog.getByText('This has to be filled in.').waitFor();
      await dialog.getByLabel('Reason').fill('Sent by a test');
      await dialog.getByRole('button', { name: 'Discard the line' }).click();
      await page.getByText('The line no longer waits.').waitFor();
      const { json } = await service.call('GET', '/api/v1/banks/sund-B1001/held-lines?state=all', owner);
      const { items } = json as { items: { state: string; postingKid: string | null; reason: string | null }[] };
      assert.deepEqual(
        Object.fromEntries(
          Map.groupBy(items, ({ state }) => state)
            .entries()
            .map(([state, of]) => [state, of.length]),
        ),
        {
          held: items.length - 3,
          resolved: 2,
          discarded: 1,
        },
      );
      assert.equal(items.find(({ state }) => state === 'discarded')?.reason, 'Sent by a test');
    });
  });

  test('[console.04] each of these screens takes six requests at most', () =>
    inConsole({ path: '/' }, async ({ page, requests }) => {
      for (const [path, heading] of [
        [`${bank}/computers`, 'Computers'],
        [`/computers/${computer.kid}`, 'Cellar gateway'],
        [`${bank}/held-lines`, 'Held lines'],
        ['/imports', 'Imports'],
        ['/imports/new?kind=residents', 'Import or export'],
        ['/imports/profiles', 'Profiles'],
        ['/imports/profiles/danish-residents', 'danish-residents'],
        [`${bank}/residents/new`, 'New resident'],
        [`${bank}/residents/sund-B1001-R1001`, 'Demo Resident 1'],
        [`${bank}/residents/sund-B1001-R1001/letter`, 'Activation letter'],
      ] as const) {
        const asked = requests.length;
        // As a link does it: the console stays loaded.
        await page.evaluate(`history.pushState({}, '', '/console${path}')`);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await waitUntilShown(page);
        await page.waitForLoadState('networkidle');
        assert.ok(requests.length - asked <= 6, requests.slice(asked).join(' '));
      }
    }));

  test('[console.31] the home screen leads to the held lines', () =>
    inConsole({ path: '/' }, async ({ page }) => {
      await page.getByRole('link', { name: 'Resolve' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Held lines' }).waitFor();
    }));
});
