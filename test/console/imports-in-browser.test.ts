// Imports in the console, in a browser over the real service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, FileChooser, Locator, Page } from 'playwright-core';
import { createTranslate } from '../../console/src/language/catalogue.ts';
import { catalogueOf } from '../../console/src/language/texts.ts';
import { waitUntil } from '../support/async.ts';
import { noBrowser } from '../support/browser.ts';
import { applyPlan, planFile } from '../support/imports.ts';
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
import { planResidents, residentsFile } from './support/equipment-data.ts';

const { service, started } = consoleFixture();

describe('imports in the console', { skip: noBrowser }, () => {
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
    options: { readonly expected?: readonly number[] } = {},
  ): Promise<void> =>
    withConsole(browser, { port: service.port, ...options }, async (opened) => {
      await useSession(opened.page, owner);
      await opened.open(path);
      await waitUntilShown(opened.page);
      await use(opened);
    });

  test('[console.31] a plan is shown in numbers and row by row, with the changes and the errors', async () => {
    const kid = await planResidents(service, owner.token);
    await inConsole('/imports', async ({ page, requests }) => {
      await page.getByRole('row', { name: new RegExp(kid) }).waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      const asked = requests.length;
      await page
        .getByRole('row', { name: new RegExp(kid) })
        .getByRole('link', { name: 'Residents' })
        .click();
      await page.getByRole('heading', { level: 1, name: 'Import: Residents' }).waitFor();
      await waitUntilShown(page);
      assert.ok(requests.length - asked <= 6, requests.slice(asked).join(' '));
      const tiles = await page.locator('.tile').allInnerTexts();
      assert.deepEqual(
        tiles.map((text) => text.replace(/\s+/g, ' ')),
        ['1 New', '1 Changed', '0 Unchanged', '0 Missing in the file', '2 Refused'],
      );
      const changed = page.getByRole('row', { name: /old-1/ });
      assert.match(await changed.innerText(), /Demo Resident 5[^]*→[^]*Renamed Resident/);
      await changed.getByRole('link', { name: 'sund-B1001-R1005' }).waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('link', { name: 'Refused' }).click();
      await page.waitForURL(/action=refused$/);
      await waitUntilShown(page);
      const rows = await page.locator('tbody tr').allInnerTexts();
      assert.equal(rows.length, 2);
      assert.match(rows[0] ?? '', /4[^]*bad-1[^]*Refused[^]*Name[^]*required/);
      assert.match(rows[1] ?? '', /5[^]*bad-2[^]*Refused[^]*Email address[^]*invalid/);
    });
  });

  test('[console.31] a profile is shown with its columns', () =>
    inConsole('/imports/profiles', async ({ page }) => {
      await page.getByRole('link', { name: 'danish-residents' }).click();
      await page.getByRole('heading', { level: 1, name: 'danish-residents' }).waitFor();
      await page
        .getByRole('row', { name: /apartment/ })
        .first()
        .waitFor();
      await checkViews(page);
    }));

  const readStored = async (name: string) =>
    (await service.call('GET', `/api/v1/import-profiles/${name}`, owner)).json as {
      version: number;
      revision: string;
      document: { columns: object[] };
    };

  test('[console.35] a profile is written as a text, with each error at its line, and changed and undone', () =>
    inConsole(
      '/imports/profiles',
      async ({ page }) => {
        await page.getByRole('button', { name: 'New profile' }).click();
        const dialog = page.getByRole('dialog', { name: 'New profile' });
        const text = dialog.getByLabel('Whole profile');
        const lines = (columns: readonly string[]): string =>
          ['{', '"name": "our-rents",', '"kind": "residents",', '"format": "csv",', '"header": true,', '"columns": [']
            .concat(columns, [']', '}'])
            .join('\n');
        await text.fill('{ "name": our-rents }');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByText('Line 1, column 11: this is no JSON from here on.').waitFor();
        const key = '{ "field": "key", "from": "Number" }';
        await text.fill(
          lines([`${key},`, '{ "field": "name", "from": "Name", "decimal": "," },', '{ "field": "Shoe" }']),
        );
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByRole('button', { name: 'Line 9' }).first().waitFor();
        assert.match(await dialog.locator('.field-errors').innerText(), /columns\[2\]/);
        await checkViews(page);
        await page.setViewportSize({ width: 1280, height: 900 });
        await dialog.getByRole('button', { name: 'Line 9' }).first().click();
        const selected = await page.evaluate<string>(
          'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
        );
        assert.ok('{ "field": "Shoe" }'.includes(selected) && selected !== '', selected);
        // What was typed survives a reload.
        await page.reload();
        await text.waitFor();
        assert.match(await text.inputValue(), /Shoe/);
        await text.fill(lines([`${key},`, '{ "field": "name", "from": "Name" }']));
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByText('our-rents: version 1 has been saved.').waitFor();
        await page.getByRole('table').getByRole('link', { name: 'our-rents' }).click();
        await page.getByRole('heading', { level: 1, name: 'our-rents' }).waitFor();
        await page.getByRole('button', { name: 'Change', exact: true }).click();
        const changed = page.getByRole('dialog', { name: 'Change our-rents' }).getByLabel('Whole profile');
        await changed.fill((await changed.inputValue()).replace('"Name"', '"Full name"'));
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByText('our-rents: version 2 has been saved.').waitFor();
        await page.getByRole('cell', { name: 'Full name' }).waitFor();
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Undone.').waitFor();
        const stored = await readStored('our-rents');
        assert.equal(stored.version, 3);
        assert.deepEqual(stored.document.columns[1], { field: 'name', from: 'Name' });
        // Somebody else is faster.
        await page.getByRole('button', { name: 'Change', exact: true }).click();
        const document = {
          ...stored.document,
          columns: [...stored.document.columns, { field: 'email', from: 'Mail' }],
        };
        const put = await service.call('PUT', '/api/v1/import-profiles/our-rents', {
          token: owner.token,
          body: { document, expectedRevision: stored.revision },
        });
        assert.equal(put.status, 200, put.text);
        await changed.fill((await changed.inputValue()).replace('"Name"', '"Called"'));
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByText('Somebody else has changed this meanwhile.').waitFor();
        assert.match(await page.getByRole('dialog').innerText(), /Called[^]*Mail/);
        await checkViews(page);
      },
      { expected: [400, 409] },
    ));

  test('[console.35] a profile that comes with the portal is copied, and tried on a file', () =>
    inConsole('/imports/profiles/danish-residents', async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'danish-residents' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Change', exact: true }).count(), 0);
      const file = 'T-1,Made-up Tenant,1. tv,t1@example.org,12345678,,31-01-2026\r\nT-2,Other,,,no phone,,\r\n';
      await page
        .getByLabel('Choose a file')
        .setInputFiles({ name: 'tenancies.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
      await page.getByRole('button', { name: 'Read the beginning' }).click();
      const rows = page.getByRole('table', { name: 'The first rows' }).locator('tbody tr');
      await rows.first().waitFor();
      assert.match(await rows.nth(0).innerText(), /1[^]*Name[^]*Made-up Tenant[^]*Moved out[^]*2026-01-31/);
      assert.match(await rows.nth(1).innerText(), /2[^]*Other[^]*Phone[^]*phone number/);
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: 'Copy it as a new one' }).click();
      const dialog = page.getByRole('dialog', { name: 'New profile' });
      assert.match(await dialog.getByLabel('Whole profile').inputValue(), /"name": "danish-residents-copy"/);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('danish-residents-copy: version 1 has been saved.').waitFor();
      assert.equal((await readStored('danish-residents-copy')).version, 1);
    }));

  test('[console.36] a plan names its fields, and shows times in the zone of their place', async () => {
    const file = 'key;location;day;intervals;text\r\nx1;L1;2027-07-01;closed;Made-up day\r\n';
    const plan = await planFile(service, file, { token: owner.token, kind: 'opening-exceptions', bankId: 1001 });
    await withConsole(
      browser,
      { port: service.port, locale: 'da', timezoneId: 'Pacific/Auckland' },
      async ({ page, open }) => {
        await useSession(page, owner);
        await open(`/imports/${plan.kid}`);
        await waitUntilShown(page);
        // The whole plan is of the bank, which is in Copenhagen.
        const { json } = await service.call('GET', `/api/v1/imports/${plan.kid}`, owner);
        const { createdUtc } = json as { createdUtc: string };
        const expected = new Intl.DateTimeFormat('da', {
          dateStyle: 'medium',
          timeStyle: 'short',
          timeZone: 'Europe/Copenhagen',
        }).format(new Date(createdUtc));
        await page.locator(`time[title="${expected}"]`).first().waitFor();
        const danish = createTranslate('da', catalogueOf('da'));
        const names = [danish('import.key'), danish('word.location'), danish('word.date')];
        await page.getByText(names.join(', ')).waitFor();
      },
    );
  });

  const address = (page: Page): string => page.url().replace(/^.*\/console/, '');
  const focused = (page: Page): Promise<string> =>
    page.evaluate('document.activeElement.closest("label")?.textContent ?? document.activeElement.textContent.trim()');

  /** Moves the focus until it is on the control with this text. */
  async function tabTo(page: Page, control: Locator): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${await focused(page)} is where the keyboard ends`);
  }

  test('[console.33] a whole import by keyboard alone: file, plan, errors, apply, undo', () =>
    inConsole('/', async ({ page }) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type('import or');
      await page.getByRole('option', { name: 'Import or export' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Import or export' }).waitFor();
      await page.locator('h1:focus').waitFor();
      await tabTo(page, page.getByLabel('Data'));
      await page.keyboard.type('Resid');
      await page.waitForURL(/kind=residents/);
      // Without a file nothing is sent.
      await tabTo(page, page.getByRole('button', { name: 'Make the plan' }));
      await page.keyboard.press('Enter');
      await page.getByText('Choose a file first.').waitFor();
      await page.locator('input[type=file]:focus').waitFor();
      const choosers: FileChooser[] = [];
      page.on('filechooser', (opened) => choosers.push(opened));
      // A key that comes while the browser is busy opens nothing: one presses again.
      await waitUntil('the chooser of files', async () => {
        await page.keyboard.press('Space');
        await pause(500);
        return choosers.length > 0;
      });
      await choosers[0]!.setFiles({ name: 'residents.csv', mimeType: 'text/csv', buffer: Buffer.from(residentsFile) });
      await tabTo(page, page.getByRole('button', { name: 'Make the plan' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Import: Residents' }).waitFor();
      await waitUntilShown(page);
      const kid = address(page).replace('/imports/', '');

      await tabTo(page, page.getByRole('link', { name: 'Refused' }));
      await page.keyboard.press('Enter');
      await page.waitForURL(/action=refused$/);
      await page.getByRole('row', { name: /bad-2.*must be an email address/s }).waitFor();

      await tabTo(page, page.getByRole('button', { name: 'Apply' }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Apply' });
      for (const text of ['1 is created.', '1 is changed.', '2 refused rows are left out.'])
        await dialog.getByText(text).waitFor();
      await tabTo(page, dialog.getByRole('button', { name: 'Apply 2 rows' }));
      await page.keyboard.press('Enter');
      await page.locator('h1 .mark', { hasText: /^Applied$/ }).waitFor();
      const resident = async (): Promise<string> => {
        const { json } = await service.call('GET', '/api/v1/banks/sund-B1001/users/sund-B1001-R1005', owner);
        return (json as { user: { name: string } }).user.name;
      };
      assert.equal(await resident(), 'Renamed Resident');

      await tabTo(page, page.getByRole('button', { name: 'Undo', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Undo' }).getByText('is kept: its row says why').waitFor();
      await tabTo(page, page.getByRole('button', { name: 'Undo 2 rows' }));
      await page.keyboard.press('Enter');
      await page.locator('h1 .mark', { hasText: /^Undone$/ }).waitFor();
      assert.equal(await resident(), 'Demo Resident 5');
      const { json } = await service.call('GET', `/api/v1/imports/${kid}`, owner);
      assert.deepEqual((json as { outcomes: object }).outcomes, {
        applied: 2,
        stale: 0,
        failed: 0,
        undone: 2,
        kept: 0,
      });
    }));

  test('[console.33] by mouse: a kind, a profile, a file, and the plan is cancelled', () =>
    inConsole('/imports', async ({ page }) => {
      await page.getByRole('link', { name: 'Import or export' }).click();
      await page.getByLabel('Data').selectOption('residents');
      await page.getByLabel('Profile').selectOption('danish-residents');
      await page.waitForURL(/profile=danish-residents/);
      await page.getByText('Format, encoding and separator').click();
      await page.getByLabel('Encoding').selectOption('windows-1252');
      await waitUntilShown(page);
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      const file = 'T-1,Made-up Tenant,1. tv,t1@example.org,,,\r\n';
      await page
        .getByLabel('Choose a file')
        .setInputFiles({ name: 'tenancies.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
      await page.getByRole('button', { name: 'Make the plan' }).click();
      await page.getByRole('heading', { level: 1, name: 'Import: Residents' }).waitFor();
      await page.getByText('windows-1252').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel' });
      await dialog.getByText('Nothing has been changed by it.').waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('h1 .mark', { hasText: /^Cancelled$/ }).waitFor();
    }));

  test('[console.33] who is missing in a full file is disabled only when their number is typed', async () => {
    const lines = (keys: readonly string[]): string =>
      ['key;name', ...keys.map((key) => `${key};Made-up ${key}`)].map((line) => `${line}\r\n`).join('');
    const options = { token: owner.token, kind: 'residents', bankId: 1002, query: { missing: 'deactivate' } };
    const first = await planFile(service, lines(['m1', 'm2', 'm3']), options);
    await applyPlan(service, first, owner);
    const { kid } = await planFile(service, lines(['m1']), options);
    await inConsole(`/imports/${kid}?do=apply`, async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'Apply' });
      await dialog.getByText('2 that the file lacks are disabled.').waitFor();
      await checkViews(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'Apply 2 rows' }).click();
      await dialog.getByText('The file lacks 2.').waitFor();
      await dialog.getByLabel('How many are missing in the file').fill('2');
      await dialog.getByRole('button', { name: 'Apply 2 rows' }).click();
      await page.locator('h1 .mark', { hasText: /^Applied$/ }).waitFor();
    });
  });
});
