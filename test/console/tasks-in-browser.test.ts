// The usual tasks of a manager in the console, each from the home screen on and by what is written there. They count their
// steps, so that the way stays short: a press, a choice and a field that is typed are a step each.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { consoleFixture } from './support/built-console.ts';
import { checkViews } from './support/check-views.ts';
import { dialogOf } from './support/command-tabs.ts';
import { launchBrowser, seedForConsole, waitUntilShown, withConsole } from './support/console-page.ts';
import { logInDemo, useSession, type ConsoleSession } from './support/console-session.ts';

const { service, started } = consoleFixture();

type Steps = {
  readonly page: Page;
  press(what: Locator): Promise<void>;
  choose(field: Locator, label: string): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
};

describe('the tasks of a manager', { skip: noBrowser }, () => {
  let browser: Browser;
  let owner: ConsoleSession;
  before(async () => {
    await started;
    await seedForConsole(service);
    owner = await logInDemo(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** @param most how many steps the task may take */
  const inSteps = (most: number, use: (steps: Steps) => Promise<void>): Promise<void> =>
    withConsole(browser, { port: service.port }, async ({ page, open }) => {
      await useSession(page, owner);
      await open('/');
      await waitUntilShown(page);
      let taken = 0;
      const step = async (action: Promise<unknown>): Promise<void> => {
        taken += 1;
        await action;
        await waitUntilShown(page);
      };
      await use({
        page,
        press: (what) => step(what.click()),
        choose: (field, label) => step(field.selectOption({ label })),
        type: (field, text) => step(field.fill(text)),
      });
      assert.equal(taken, most);
    });

  const button = (within: Page | Locator, name: string | RegExp): Locator => within.getByRole('button', { name });
  const link = (within: Page | Locator, name: string): Locator => within.getByRole('link', { name, exact: true });
  const bankOf = (page: Page): Locator => link(page, 'Housing association Alder').first();
  const read = async (path: string) => (await service.call('GET', `/api/v1${path}`, owner)).json;

  test('[console.50] the machines that are out of order, and why', () =>
    inSteps(2, async ({ page, press }) => {
      const tile = button(page, /Out of order$/);
      const count = Number((await tile.innerText()).split('\n')[0]);
      await press(tile);
      const rows = page.getByRole('row').filter({ hasText: 'Out of order' });
      assert.ok(count > 0);
      assert.equal(await rows.count(), count);
      assert.equal(await page.getByText('Offline', { exact: true }).count(), 1, 'that of its tile alone');
      const [error, text] = ['Error 47', 'Motor too hot'];
      await press(rows.filter({ hasText: error }).filter({ hasText: text }).getByRole('link').first());
      await page.getByText(`${error}: ${text}`).waitFor();
      await checkViews(page);
    }));

  test('[console.50] a booking is cancelled and restored', () =>
    inSteps(6, async ({ page, press }) => {
      await press(bankOf(page));
      await press(link(page, 'Bookings'));
      await press(button(page, 'Next 7 days'));
      // The last one: none of the first may be cancelled any more.
      const names = await button(page, /^Cancel the booking/).allInnerTexts();
      const about = names.at(-1)!.replaceAll(/\s+/g, ' ').replace('Cancel the booking ', '');
      const row = page.getByRole('row').filter({ has: button(page, about) });
      await press(button(row, /^Cancel the booking/));
      await press(button(dialogOf(page), 'Cancel the booking'));
      await row.getByText('Cancelled').waitFor();
      await press(button(page, 'Undo'));
      await row.getByText('Booked').waitFor();
    }));

  test('[console.50] a wrong charge is corrected, after the posting that corrects it was shown', () =>
    inSteps(4, async ({ page, press }) => {
      await press(bankOf(page));
      await press(link(page, 'Account'));
      const row = page.getByRole('row').filter({ has: button(page, /^Reverse/) });
      const amount = (await row.first().locator('.amount').first().innerText()).replace(/^[-−]/, '');
      await press(button(row.first(), /^Reverse/));
      await dialogOf(page).getByText(amount).waitFor();
      await press(button(dialogOf(page), 'Reverse'));
      await page.getByText(`Reversed: ${amount} was posted.`).waitFor();
    }));

  test('[console.50] a resident is moved, and a lost key is blocked', () =>
    inSteps(9, async ({ page, press, choose, type }) => {
      await press(bankOf(page));
      await press(link(page, 'Residents'));
      await press(link(page, 'Demo Resident 3'));
      await press(page.getByRole('button', { name: 'Move', exact: true }));
      await choose(dialogOf(page).getByLabel('Location'), 'Alder house B');
      await type(dialogOf(page).getByLabel('Apartment'), '2. right');
      await press(button(dialogOf(page), 'Move'));
      await page.getByText('Demo Resident 3 has moved.').waitFor();
      await page.getByText('To block a lost key, remove it.').waitFor();
      await press(button(page, /^Remove the key/));
      await press(button(dialogOf(page), 'Remove the key'));
      await page.getByText('There are no keys.').waitFor();
      const { user, keys } = await read('/banks/sund-B1001/users/sund-B1001-R1003');
      assert.deepEqual([user.locationName, user.apartment, keys], ['Alder house B', '2. right', []]);
    }));

  test('[console.50] the day is closed by exporting the account', () =>
    inSteps(4, async ({ page, press }) => {
      await press(bankOf(page));
      await press(link(page, 'Account'));
      await press(button(page, 'Today'));
      const day = await page.getByLabel('From').inputValue();
      assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), day);
      const downloaded = page.waitForEvent('download');
      await press(button(page, 'Download CSV'));
      const download = await downloaded;
      assert.match(download.suggestedFilename(), new RegExp(`account.*${day}.*\\.csv$`));
      const [, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\n');
      const { totalCount } = await read(
        `/banks/sund-B1001/account?From=${day}&Through=${day}&TimeZone=Europe/Copenhagen`,
      );
      assert.equal(lines.length, totalCount);
    }));

  test('[console.50] a colleague gets the right to do the same', () =>
    inSteps(5, async ({ page, press }) => {
      await press(link(page, 'Managers'));
      await press(link(page, 'Clerk of Sund'));
      await press(button(page, 'Change the permissions'));
      await press(button(dialogOf(page), 'Same as yours'));
      await dialogOf(page).getByText('Residents: Read, Change, Create').waitFor();
      await press(button(dialogOf(page), 'Save'));
      await page.getByText('The permissions of Clerk of Sund have been changed.').waitFor();
      const { permissions } = await read('/managers/sund-M1005');
      assert.deepEqual(permissions, (await read('/session/me')).permissions);
    }));

  test('[console.51] a date is typed into a filter; nothing is asked for on the way to it', () =>
    withConsole(browser, { port: service.port }, async ({ page, open, requests }) => {
      await useSession(page, owner);
      await open('/banks/sund-B1001/account');
      await waitUntilShown(page);
      const field = page.getByLabel('From');
      const shown = await field.inputValue();
      const today = await page.getByLabel('To', { exact: true }).inputValue();
      const year = Number(today.slice(0, 4));
      // The account shows a year at most.
      const typed = today > `${year}-10-10` ? `${year}-10-10` : `${year - 1}-10-10`;
      const asked = requests.length;
      await field.focus();
      // The same in every order of day and month.
      await page.keyboard.type(`1010${typed.slice(0, 4)}`, { delay: 20 });
      await page.waitForURL(new RegExp(`from=${typed}`));
      await waitUntilShown(page);
      const days = requests.slice(asked).flatMap((url) => new URL(url, page.url()).searchParams.get('From') ?? []);
      assert.deepEqual([...new Set(days)], [typed]);
      assert.equal(await field.inputValue(), typed);
      // What is no date is put right when the field is left.
      await field.focus();
      await page.keyboard.press('Backspace');
      await page.getByLabel('To', { exact: true }).focus();
      assert.equal(await field.inputValue(), typed);
      await page.goBack();
      await page.waitForFunction(`document.querySelector('input[type="date"]').value === '${shown}'`);
    }));

  test('[console.52] what was queued for the equipment names settings in the language of the manager', () =>
    withConsole(browser, { port: service.port, locale: 'da' }, async ({ page, open }) => {
      await useSession(page, owner);
      const syncs = '/banks/sund-B1001/device-syncs';
      type Item = { readonly unitKid: string; readonly setting: string | null; readonly settingLabel: string | null };
      const { items } = (await read(`${syncs}?limit=200`)) as { items: Item[] };
      const unit = items.find(({ setting }) => setting !== null)?.unitKid;
      const path = `/api/v1${syncs}?unitKid=${unit}&limit=50`;
      const { json } = await service.call('GET', path, { ...owner, headers: { 'accept-language': 'da' } });
      const labels = (json.items as Item[]).flatMap(({ settingLabel }) => settingLabel ?? []);
      assert.ok(labels.length > 0);
      await open(`/units/${unit}`);
      await waitUntilShown(page);
      const table = page.getByRole('table', { name: 'Ændringer til udstyret' });
      for (const label of labels) await table.getByText(label, { exact: true }).first().waitFor();
      assert.equal(await table.locator('code').count(), 0, 'a word of the API');
    }));
});
