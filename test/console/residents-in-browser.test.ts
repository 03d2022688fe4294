// The commands on residents in the console, in a browser over the real service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
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

const { service, started } = consoleFixture();

const residents = '/banks/sund-B1001/residents';
const pathOf = (residentId: number): string => `${residents}/sund-B1001-R${residentId}`;
const apiOf = (residentId: number): string => `/api/v1/banks/sund-B1001/users/sund-B1001-R${residentId}`;

type Workspace = {
  readonly user: Readonly<Record<'name' | 'email' | 'phone' | 'apartment' | 'locationKid' | 'state', string>>;
  readonly language: string;
  readonly keys: readonly { readonly key: string; readonly kind: string }[];
  readonly flags: readonly string[];
  readonly revision: string;
};

describe('the commands on residents', { skip: noBrowser }, () => {
  let browser: Browser;
  let owner: ConsoleSession;
  before(async () => {
    await started;
    await seedForConsole(service);
    owner = await logInDemo(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const inConsole = (
    path: string,
    use: (opened: ConsolePage) => Promise<void>,
    { session = owner, expected = [] as readonly number[] } = {},
  ): Promise<void> =>
    withConsole(browser, { port: service.port, expected }, async (opened) => {
      await useSession(opened.page, session);
      await opened.open(path);
      await waitUntilShown(opened.page);
      await use(opened);
    });

  async function read(residentId: number): Promise<Workspace> {
    const { json, status, text } = await service.call('GET', apiOf(residentId), owner);
    assert.equal(status, 200, text);
    return json as Workspace;
  }

  const dialogOf = (page: Page): Locator => page.getByRole('dialog');
  const isDone = (page: Page, text: string): Promise<void> => page.locator('[data-toast]', { hasText: text }).waitFor();

  async function checkWide(page: Page): Promise<void> {
    await checkViews(page);
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  test('[console.34] a resident is created; what is wrong is told at its field, and what was typed survives a reload', () =>
    inConsole(
      residents,
      async ({ page }) => {
        await page.getByRole('link', { name: 'New resident' }).click();
        await page.getByRole('heading', { level: 1, name: 'New resident' }).waitFor();
        await page.getByLabel('Name').fill('Made-up Newcomer');
        await page.getByLabel('Email address').fill('not an address');
        await page.getByLabel('Keys').fill('04FF0101\ncard 778899');
        await checkWide(page);
        await page.getByRole('button', { name: 'New resident' }).click();
        await page.locator('.field', { hasText: 'This is not an email address.' }).waitFor();
        await page.reload();
        await page.getByText('What was typed earlier is still here.').waitFor();
        assert.equal(await page.getByLabel('Keys').inputValue(), '04FF0101\ncard 778899');
        await page.getByLabel('Email address').fill('newcomer@example.org');
        await page.getByLabel('Location').selectOption('sund-B1001-L1');
        await page.getByRole('button', { name: 'New resident' }).click();
        await page.getByRole('heading', { level: 1, name: 'Made-up Newcomer' }).waitFor();
        await isDone(page, 'Made-up Newcomer is a resident now.');
        const { user, keys } = await read(Number(page.url().split('-R')[1]));
        assert.deepEqual([user.email, user.locationKid], ['newcomer@example.org', 'sund-B1001-L1']);
        assert.deepEqual(keys.map(({ kind, key }) => `${kind} ${key}`).toSorted(), ['Card 778899', 'Tag 04FF0101']);
      },
      { expected: [400] },
    ));

  test('[console.34] after a resident was created, the form is empty for the next one', () =>
    inConsole(residents, async ({ page }) => {
      for (const name of ['Made-up First', 'Made-up Second', 'Made-up Third']) {
        await page.getByRole('link', { name: 'New resident' }).click();
        await page.getByRole('heading', { level: 1, name: 'New resident' }).waitFor();
        assert.equal(await page.getByLabel('Name').inputValue(), '');
        await page.getByLabel('Name').fill(name);
        await page.getByRole('button', { name: 'New resident' }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await page.getByRole('link', { name: 'Residents', exact: true }).first().click();
        await page.getByRole('heading', { level: 1, name: 'Residents' }).waitFor();
      }
    }));

  test('[console.34] each of the facts is changed', () =>
    inConsole(pathOf(1020), async ({ page, requests }) => {
      const asked = requests.filter((url) => url.startsWith('/api/'));
      assert.ok(asked.length <= 6, asked.join(' '));
      const change = async (fact: string, fill: (dialog: Locator) => Promise<unknown>, done: string): Promise<void> => {
        await page.getByRole('button', { name: `Change ${fact}`, exact: true }).click();
        await fill(dialogOf(page));
        await dialogOf(page).getByRole('button', { name: 'Save' }).click();
        await isDone(page, done);
        await dialogOf(page).waitFor({ state: 'detached' });
      };
      const typed = (text: string) => (dialog: Locator) => dialog.getByRole('textbox').fill(text);
      const chosen = (value: string) => (dialog: Locator) => dialog.getByRole('combobox').selectOption(value);
      await change('Name', typed('Renamed by Hand'), 'The name was changed.');
      await change('Email address', typed('by.hand@example.org'), 'The email address was changed.');
      await change('Phone', typed('+45 12 34 56 78'), 'The phone number was changed.');
      await change('Apartment', typed('9. left'), 'The apartment was changed.');
      await change('Location', chosen('sund-B1001-L2'), 'has moved to another location.');
      await change('Language', chosen('sv'), 'The language was changed.');
      const { user, language } = await read(1020);
      assert.deepEqual(
        [user.name, user.email, user.phone, user.apartment, user.locationKid, language],
        ['Renamed by Hand', 'by.hand@example.org', '+45 12 34 56 78', '9. left', 'sund-B1001-L2', 'sv'],
      );
      await page
        .locator('[data-toast]', { hasText: 'The language was changed.' })
        .getByRole('button', { name: 'Undo' })
        .click();
      await isDone(page, 'Undone.');
      assert.notEqual((await read(1020)).language, 'sv');
    }));

  test('[console.34] a name that somebody else has changed meanwhile shows both, and the manager chooses', () =>
    inConsole(
      `${pathOf(1021)}?do=SetName`,
      async ({ page }) => {
        await dialogOf(page).getByRole('textbox').fill('Mine');
        const { revision } = await read(1021);
        const renamed = await service.call('POST', `${apiOf(1021)}/commands/SetName`, {
          token: owner.token,
          body: { expectedRevision: revision, value: 'Theirs' },
        });
        assert.equal(renamed.status, 200);
        await dialogOf(page).getByRole('button', { name: 'Save' }).click();
        await dialogOf(page).getByText('Theirs').waitFor();
        await checkWide(page);
        await dialogOf(page).getByRole('radio').first().check();
        await dialogOf(page).getByRole('button', { name: 'Continue' }).click();
        await dialogOf(page).getByRole('button', { name: 'Save' }).click();
        await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
      },
      { expected: [409] },
    ));

  test('[console.34] a resident is disabled, enabled, deleted and restored', () =>
    inConsole(pathOf(1022), async ({ page }) => {
      const run = async (name: string, advice: string, done: string): Promise<void> => {
        await page.getByRole('button', { name, exact: true }).click();
        await dialogOf(page).getByText(advice).waitFor();
        await dialogOf(page).getByRole('button', { name, exact: true }).click();
        await isDone(page, done);
        await dialogOf(page).waitFor({ state: 'detached' });
      };
      await run('Disable', 'can no longer log in', 'is disabled.');
      await page.locator('h1', { hasText: 'Disabled' }).waitFor();
      assert.equal((await read(1022)).user.state, 'disabled');
      await run('Enable', 'can log in, book and use units again', 'is enabled.');
      await page.locator('h1 .mark', { hasText: 'Active' }).waitFor();
      const profile = await service.call('GET', '/api/v1/session/me/profile', owner);
      const retained = await service.call('POST', '/api/v1/session/me/profile/RetentionDays', {
        token: owner.token,
        body: { value: 30, expectedRevision: (profile.json as { revision: string }).revision },
      });
      assert.equal(retained.status, 200);
      await run('Delete', 'This can be taken back for 30 days.', 'was deleted.');
      await page.locator('h1', { hasText: 'Deleted' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Change Name' }).count(), 0);
      await run('Restore', 'gets email address and keys back', 'was restored');
      assert.equal((await read(1022)).user.state, 'disabled');
    }));

  test('[console.34] keys are added and removed, and a code is set of which nothing is kept', () =>
    inConsole(pathOf(1023), async ({ page }) => {
      await page.getByRole('button', { name: 'Add a key' }).click();
      await dialogOf(page).getByLabel('What it is').selectOption('Card');
      await dialogOf(page).getByLabel('Number').fill('550012');
      await checkWide(page);
      await dialogOf(page).getByRole('button', { name: 'Add a key' }).click();
      await isDone(page, 'The key was added.');
      assert.ok((await read(1023)).keys.some(({ kind, key }) => kind === 'Card' && key === '550012'));
      await page.getByRole('button', { name: 'Remove the key Card:550012' }).click();
      await dialogOf(page).getByRole('button', { name: 'Remove the key' }).click();
      await isDone(page, 'The key was removed.');
      assert.ok(!(await read(1023)).keys.some(({ key }) => key === '550012'));
      await page.getByRole('button', { name: 'Change Code at units' }).click();
      await dialogOf(page).getByRole('textbox').fill('492817');
      assert.ok(!(await page.evaluate<string>('JSON.stringify(sessionStorage)')).includes('492817'));
      await dialogOf(page).getByRole('button', { name: 'Save' }).click();
      await isDone(page, 'The code was saved.');
      assert.ok((await read(1023)).flags.includes('HasPin'));
    }));

  test('[console.34] the letter has the code, in the language of the resident', () =>
    inConsole(pathOf(1024), async ({ page }) => {
      await page.getByRole('button', { name: 'Change Language' }).click();
      await dialogOf(page).getByRole('combobox').selectOption('da');
      await dialogOf(page).getByRole('button', { name: 'Save' }).click();
      await dialogOf(page).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'New activation code' }).click();
      await dialogOf(page).getByRole('button', { name: 'New activation code' }).click();
      await page.locator('[data-toast]').getByRole('link', { name: 'Activation letter' }).click();
      await page.getByRole('heading', { level: 1, name: 'Activation letter' }).waitFor();
      const letter = page.getByRole('article');
      await letter.getByText('Din aktiveringskode:').waitFor();
      assert.equal(await letter.getAttribute('lang'), 'da');
      const { json } = await service.call('GET', `${apiOf(1024)}/activation`, owner);
      assert.equal(await letter.locator('code').innerText(), (json as { code: string }).code);
      await checkWide(page);
      await page.emulateMedia({ media: 'print' });
      assert.ok(await letter.isVisible());
      assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false);
    }));

  test('[console.12] who may only read is offered nothing', async () => {
    const session = await logInDemo(service, 'reader');
    await inConsole(
      pathOf(1026),
      async ({ page, open }) => {
        assert.equal(await page.getByRole('button', { name: /^(?:Change|Disable|Delete|Add|Remove|New)/ }).count(), 0);
        assert.equal(await page.getByRole('link', { name: 'Activation letter' }).count(), 0);
        await open(`${pathOf(1026)}?do=Delete`);
        await waitUntilShown(page);
        assert.equal(await dialogOf(page).count(), 0);
        await page.goto(page.url().replace(/\/sund-B1001-R1026.*/, '/new'));
        await page.getByText('This does not exist').waitFor();
      },
      { session },
    );
  });
});
