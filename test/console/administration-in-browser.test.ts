// The commands of administration and of the own profile in a browser, over the real service with its demo data: what
// managers may do, icons of installers, keys and read access of services, and the manager's own data and password.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createTranslate } from '../../console/src/language/catalogue.ts';
import { catalogueOf } from '../../console/src/language/texts.ts';
import { takeCode, takeMails } from '../profile/support/own-profile.ts';
import { noBrowser } from '../support/browser.ts';
import type { HttpReply } from '../support/call.ts';
import { consoleFixture } from './support/built-console.ts';
import { checkViews, createCommandTabs, dialogOf, saveIn, waitForFocus } from './support/command-tabs.ts';
import { demoPassword, launchBrowser, seedForConsole, waitUntilShown } from './support/console-page.ts';

const { service, started } = consoleFixture();

const danish = createTranslate('da', catalogueOf('da'));

const owner = '/managers/sund-M1001';
const clerk = '/managers/sund-M1005';
const statistics = '/services/sund-B0-M5';
const profile = '/profile';

type Detail = {
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  readonly permissionRevision: string;
  readonly manager: { readonly role: string };
};

describe('administration in the console', { skip: noBrowser }, () => {
  let browser: Browser;
  const { sessionOf, inConsole } = createCommandTabs(service, () => browser);
  before(async () => {
    await started;
    await seedForConsole(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  const call = async (method: string, path: string, body?: unknown, userName = 'owner'): Promise<HttpReply> =>
    service.call(method, `/api/v1${path}`, {
      token: (await sessionOf(userName)).token,
      ...(body === undefined ? {} : { body }),
    });
  const detailOf = async (path = clerk): Promise<Detail> => (await call('GET', path)).json as Detail;
  async function setPermission(area: string, flag: string, granted: boolean, path = clerk): Promise<void> {
    const { permissionRevision: expectedRevision } = await detailOf(path);
    const { status, text } = await call('PUT', `${path}/permissions/${area}/${flag}`, { granted, expectedRevision });
    assert.equal(status, 200, text);
  }
  async function setRole(role: string, path = clerk): Promise<void> {
    const { permissionRevision: expectedRevision } = await detailOf(path);
    assert.equal((await call('PUT', `${path}/permission-role`, { role, expectedRevision })).status, 200);
  }
  const openPermissions = (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Change the permissions' }).click();
  const box = (page: Page, name: string) => dialogOf(page).getByRole('checkbox', { name, exact: true });
  const changesIn = (page: Page): Promise<string> => dialogOf(page).locator('[data-changes]').innerText();
  const lines = (...texts: readonly string[]): RegExp => new RegExp(texts.join(String.raw`\s+`));
  const storageOf = (page: Page): Promise<string> =>
    page.evaluate('JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })');

  test('[console.24, console.25] a permission is granted after the dialog has said what changes, and the grant undone', async () => {
    await setRole('None');
    await inConsole(clerk, async ({ page }) => {
      await openPermissions(page);
      assert.match(await changesIn(page), /Nothing would change/);
      await box(page, 'Units: Read').check();
      assert.match(await changesIn(page), lines('Will be granted', 'Units: Read'));
      await checkViews(page);
      await saveIn(page);
      await page.getByText('The permissions of Clerk of Sund have been changed.').waitFor();
      assert.deepEqual((await detailOf()).permissions['Unit'], ['Read']);
      await checkViews(page);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      assert.deepEqual((await detailOf()).permissions['Unit'], []);
    });
  });

  test('[console.25] the permissions of a role are previewed, and stored at once', async () => {
    await setRole('Operator');
    const { permissionRevision } = await detailOf();
    await inConsole(clerk, async ({ page }) => {
      await openPermissions(page);
      await dialogOf(page).getByLabel('Role').selectOption({ label: 'Reader' });
      const changes = await changesIn(page);
      assert.match(changes, lines('Will be granted', 'Installers: Read', 'Managers: Read', 'Services: Read'));
      assert.match(changes, lines('Will be withdrawn', 'Housing associations: Change'));
      await saveIn(page);
      await page.getByText('The permissions of Clerk of Sund have been changed.').waitFor();
      const changed = await detailOf();
      assert.deepEqual(
        [changed.manager.role, Number(changed.permissionRevision)],
        ['Reader', Number(permissionRevision) + 1],
      );
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      assert.equal((await detailOf()).manager.role, 'Operator');
    });
  });

  test('[console.13] permissions are changed by keyboard alone', async () => {
    await setRole('None');
    await inConsole(clerk, async ({ page }) => {
      const tabTo = async (name: string): Promise<void> => {
        const label =
          '(document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent ?? "").trim()';
        for (let presses = 0; (await page.evaluate(label)) !== name; presses += 1) {
          assert.ok(presses < 60, `${name} is not reached`);
          await page.keyboard.press('Tab');
        }
      };
      await page.locator('h1').focus();
      await tabTo('Change the permissions');
      await page.keyboard.press('Enter');
      await dialogOf(page).waitFor();
      await tabTo('Locations: Read');
      await page.keyboard.press('Space');
      await tabTo('Locations: Change');
      await page.keyboard.press('Space');
      await tabTo('Save');
      await page.keyboard.press('Enter');
      await page.getByText('The permissions of Clerk of Sund have been changed.').waitFor();
      assert.deepEqual((await detailOf()).permissions['Location'], ['Read', 'Write']);
      await waitForFocus(page, "textContent === 'Change the permissions'");
    });
  });

  test('[console.21] two browsers change the same permissions: both are shown, and neither loses anything', async () => {
    await setRole('None');
    await inConsole(
      clerk,
      async ({ page }) => {
        await openPermissions(page);
        await box(page, 'Units: Read').check();
        await box(page, 'Residents: Read').check();
        await inConsole(clerk, async ({ page: other }) => {
          await openPermissions(other);
          await box(other, 'Units: Read').check();
          await box(other, 'Units: Change').check();
          await box(other, 'Locations: Read').check();
          await saveIn(other);
          await other.getByText('The permissions of Clerk of Sund have been changed.').waitFor();
        });
        await saveIn(page);
        await page.getByText('Somebody else has changed this meanwhile.').waitFor();
        const conflict = dialogOf(page).locator('fieldset:has([name^="conflict-"])').filter({ hasText: 'Units' });
        assert.match(await conflict.innerText(), lines('Typed here', 'Read', 'Saved meanwhile', 'Read, Change'));
        await checkViews(page);
        await conflict.getByText('Saved meanwhile').click();
        await dialogOf(page).getByRole('button', { name: 'Continue with this' }).click();
        assert.match(await changesIn(page), lines('Will be granted', 'Residents: Read'));
        assert.doesNotMatch(await changesIn(page), /withdrawn/);
        await saveIn(page);
        await page.getByText('The permissions of Clerk of Sund have been changed.').waitFor();
        const { Unit, Location, User } = (await detailOf()).permissions;
        assert.deepEqual({ Unit, Location, User }, { Unit: ['Read', 'Write'], Location: ['Read'], User: ['Read'] });
      },
      { expected: [409] },
    );
  });

  test('[console.25] what a manager does not hold, they cannot change; their own permissions only if nobody else can', async () => {
    await setRole('None');
    await setPermission('Managers', 'Write', true, '/managers/sund-M1002');
    try {
      await inConsole(
        clerk,
        async ({ page }) => {
          await openPermissions(page);
          assert.equal(await box(page, 'Units: Read').isDisabled(), false);
          assert.equal(await box(page, 'Units: Change').isDisabled(), true);
          assert.equal(await dialogOf(page).locator('option', { hasText: 'Administrator' }).count(), 0);
          await dialogOf(page).getByText('you can neither grant nor withdraw').waitFor();
        },
        { userName: 'reader' },
      );
    } finally {
      await setPermission('Managers', 'Write', false, '/managers/sund-M1002');
    }
    await inConsole(owner, async ({ page }) => {
      const button = page.getByRole('button', { name: 'Change the permissions' });
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      await page.getByText('Only the sole active manager').waitFor();
    });
  });

  test('[console.22] the last administrator is warned, and the refusal stands where it happened', async () => {
    const setOthersActive = (active: 0 | 1) =>
      service.write('sund', (db) =>
        db.updateTable('managers').set({ active }).where('manager_id', 'in', [1002, 1005, 1006]).execute(),
      );
    await setOthersActive(0);
    try {
      await inConsole(
        owner,
        async ({ page }) => {
          await openPermissions(page);
          await dialogOf(page).getByText('These are your own permissions.').waitFor();
          await box(page, 'Managers: Change').uncheck();
          await saveIn(page);
          await dialogOf(page).getByText('Nobody would be left who can change permissions.').first().waitFor();
          assert.equal(await box(page, 'Managers: Change').isChecked(), false);
          assert.deepEqual((await detailOf(owner)).permissions['Managers'], ['Read', 'Write', 'Create']);
          await checkViews(page);
        },
        { expected: [422] },
      );
    } finally {
      await setOthersActive(1);
    }
  });

  test('the fields of the own profile are changed one by one, and what cannot be is told at the field', async () => {
    await inConsole(
      profile,
      async ({ page }) => {
        const change = async (field: string, label: string): Promise<void> => {
          await page.getByRole('button', { name: `Change ${field}` }).click();
          await dialogOf(page).getByLabel(label).waitFor();
        };
        await checkViews(page);
        await change('Name', 'Name');
        await dialogOf(page).getByLabel('Name').fill('Demo Manager Renamed');
        await saveIn(page);
        await page.getByText('Name: saved.').waitFor();
        await page.getByRole('button', { name: 'Your menu' }).getByText('Demo Manager Renamed').waitFor();
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Undone.').waitFor();
        await page.locator('main').getByText('Bank manager of Sund').waitFor();
        await change('Deleted records are shown for', 'Deleted records are shown for');
        const days = dialogOf(page).getByLabel('Deleted records are shown for');
        await days.fill('many');
        await saveIn(page);
        await dialogOf(page).getByText('This is not a number.').waitFor();
        await days.fill('4000');
        await saveIn(page);
        await dialogOf(page).getByText('At most 3,650.').first().waitFor();
        await days.fill('30');
        await saveIn(page);
        await page.locator('main').getByText('30 days').waitFor();
        await change('Icon', 'Icon');
        await dialogOf(page).getByLabel('Icon').selectOption('person_star');
        await checkViews(page);
        await saveIn(page);
        await page.getByText('Icon: saved.').waitFor();
        await change('Colours', 'Colours');
        await dialogOf(page).getByLabel('Colours').selectOption({ label: 'Dark' });
        await saveIn(page);
        await page.locator('html[data-theme=dark]').waitFor();
        const { json } = await call('GET', '/session/me/profile', undefined, 'bank');
        assert.deepEqual(
          [json.name, json.retentionDays, json.personIcon, json.theme],
          ['Bank manager of Sund', 30, 'person_star', 2],
        );
        await page.locator('main').getByLabel('Language').selectOption('da');
        await page.getByRole('heading', { name: danish('nav.profile') }).waitFor();
      },
      { userName: 'bank', expected: [400] },
    );
  });

  test('[console.26] a wrong password is told at its field; the right one ends every other session; neither is written down', async () => {
    const login = () =>
      service.call('POST', '/api/v1/session/login', { body: { userName: 'notabs', password: demoPassword } });
    const other = (await login()).json.accessToken as string;
    await inConsole(
      profile,
      async ({ page }) => {
        await page.getByRole('button', { name: 'Change the password' }).click();
        const field = (label: string) => dialogOf(page).getByLabel(label, { exact: true });
        const send = () => dialogOf(page).getByRole('button', { name: 'Change the password' }).click();
        await field('Present password').fill('not the password');
        await field('New password').fill('violet teapots sing');
        await field('New password once more').fill('violet teapots sang');
        await checkViews(page);
        await send();
        await dialogOf(page).getByText('The two passwords differ.').waitFor();
        await field('New password once more').fill('violet teapots sing');
        await send();
        await waitForFocus(page, "name === 'currentPassword'");
        assert.doesNotMatch(await storageOf(page), /teapots|not the password/);
        await field('Present password').fill(demoPassword);
        await send();
        await page.getByText('The password has been changed.').waitFor();
        assert.doesNotMatch(await storageOf(page), /teapots|demo-Password/);
        assert.equal((await service.call('GET', '/api/v1/session/me', { token: other })).status, 401);
        await page.reload();
        await waitUntilShown(page);
        await page.getByRole('heading', { name: 'Your profile' }).waitFor();
      },
      { userName: 'notabs', expected: [400] },
    );
    assert.equal((await login()).status, 401);
  });

  test('[console.26] an email address is confirmed by its code: a wrong one is refused, and none is written down', async () => {
    await takeMails(service);
    await inConsole(
      profile,
      async ({ page }) => {
        await page.getByRole('button', { name: 'Confirm an email address' }).click();
        await dialogOf(page).getByLabel('Email address').fill('confirmed@example.org');
        await checkViews(page);
        await dialogOf(page).getByRole('button', { name: 'Send the code' }).click();
        await page.getByText('A code was sent to confirmed@example.org.').waitFor();
        await page.getByRole('link', { name: 'Enter the code' }).click();
        const code = dialogOf(page).getByLabel('Code');
        const confirm = () => dialogOf(page).getByRole('button', { name: 'Confirm' }).click();
        await code.fill('2222-2222-2222');
        await confirm();
        await dialogOf(page).getByText('This was not done').waitFor();
        assert.equal(await code.inputValue(), '2222-2222-2222');
        await checkViews(page);
        const right = await takeCode(service);
        await code.fill(right);
        assert.ok(!(await storageOf(page)).includes(right));
        await confirm();
        await page.getByText('confirmed@example.org is now your email address.').waitFor();
        await page.locator('main').getByText('Confirmed', { exact: true }).waitFor();
      },
      { userName: 'location', expected: [400] },
    );
  });

  test('the icon of an installer is chosen, and the choice undone', async () => {
    const path = '/installers/sund-I2001';
    const iconOf = async () => ((await call('GET', path)).json.installer as { iconKid: string }).iconKid;
    const original = await iconOf();
    await inConsole(path, async ({ page }) => {
      await page.getByRole('button', { name: 'Change Icon' }).click();
      await dialogOf(page).getByLabel('Icon').selectOption('person_chef');
      await checkViews(page);
      await saveIn(page);
      await page.getByText('Icon: saved.').waitFor();
      assert.equal(await iconOf(), 'person_chef');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      assert.equal(await iconOf(), original);
    });
  });

  test('[console.26] a key of a service is shown once, can be used, and is nowhere after a reload', async () => {
    await inConsole(statistics, async ({ page }) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await checkViews(page);
      await dialogOf(page).getByRole('button', { name: 'Create a key' }).click();
      const shown = dialogOf(page).locator('p:has(button) > code');
      await shown.waitFor();
      const key = await shown.innerText();
      assert.match(key, /^kt_/);
      await checkViews(page);
      assert.ok(!(await storageOf(page)).includes(key));
      await page.getByText('Has an API key').first().waitFor();
      await page.reload();
      await waitUntilShown(page);
      assert.ok(!(await page.content()).includes(key));
      await dialogOf(page).getByText('The present key ends at once.').waitFor();
      await dialogOf(page).getByRole('button', { name: 'Close' }).click();

      await page.getByRole('button', { name: 'Change the read access' }).click();
      await dialogOf(page).getByLabel('Filter').fill('bank');
      await dialogOf(page).getByLabel('GetBankIcons').check();
      assert.match(await changesIn(page), lines('Will be granted', 'GetBankIcons'));
      await checkViews(page);
      await saveIn(page);
      await page.getByText('The read access of Statistics has been changed.').waitFor();
      const readsBanks = () => service.call('GET', '/api/v1/banks/icons', { token: key });
      assert.equal((await readsBanks()).status, 200);
      await page.getByRole('button', { name: 'Change the read access' }).click();
      await dialogOf(page).getByLabel('GetBankIcons').uncheck();
      assert.match(await changesIn(page), lines('Will be withdrawn', 'GetBankIcons'));
      await dialogOf(page).getByText('the key is no longer accepted').waitFor();
      await saveIn(page);
      await dialogOf(page).waitFor({ state: 'detached' });
      assert.equal((await readsBanks()).status, 401);
    });
  });

  test('the name and the icon of a service are changed', async () => {
    const path = '/services/sund-B0-M2';
    await inConsole(path, async ({ page }) => {
      await page.getByRole('button', { name: 'Change the name' }).click();
      await dialogOf(page).getByLabel('Name').fill('Payments by card');
      await saveIn(page);
      await page.getByRole('heading', { name: 'Payments by card' }).waitFor();
      await page.getByRole('button', { name: 'Change the icon' }).click();
      // Its present icon is no longer offered, and has no drawing.
      await dialogOf(page).getByLabel('Icon').selectOption('mail');
      await checkViews(page);
      await saveIn(page);
      await page.getByText('Icon: saved.').waitFor();
      const { service: stored } = (await call('GET', path)).json as { service: { name: string; iconName: string } };
      assert.deepEqual([stored.name, stored.iconName], ['Payments by card', 'mail']);
    });
  });

  test('[console.12] a manager without the right is shown none of these commands, not even by their addresses', () =>
    inConsole(
      `${clerk}?do=permissions`,
      async ({ page, open }) => {
        for (const path of [`${clerk}?do=permissions`, '/installers/sund-I2001?do=icon', `${statistics}?do=key`]) {
          await open(path);
          await waitUntilShown(page);
          assert.equal(await dialogOf(page).count(), 0, path);
          assert.equal(
            await page
              .locator('main')
              .getByRole('button', { name: /Change|key/i })
              .count(),
            0,
            path,
          );
        }
      },
      { userName: 'reader' },
    ));
});
