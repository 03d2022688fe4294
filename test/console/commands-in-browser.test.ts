// The commands of the console in a browser, over the real service with its demo data: what is done, what is refused and
// why, what nobody knows, and that nothing that was typed is lost.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import type { HttpReply } from '../support/call.ts';
import { insertHeldLines } from '../support/held-lines.ts';
import { onBothEngines } from '../support/service.ts';
import { waitUntil } from '../support/async.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { consoleFixture } from './support/built-console.ts';
import { checkViews, createCommandTabs, dialogOf, saveIn, waitForFocus } from './support/command-tabs.ts';
import { launchBrowser, seedForConsole, waitUntilShown, withConsole } from './support/console-page.ts';

const bank = '/banks/sund-B1001';
const bankApi = '/api/v1/banks/sund-B1001';
const unitKid = 'sund-B1001-L1-U2';
const unit = `/units/${unitKid}`;
const operation = `${unit}?group=Operation`;
const settingApi = (setting: string): string => `/api/v1/units/${unitKid}/settings/${setting}`;
const sessionKey = 'portal-console-session';

onBothEngines((engine) => {
  const { service, started } = consoleFixture(engine);

  describe('the commands of the console', { skip: noBrowser }, () => {
    let browser: Browser;
    const { sessionOf, inConsole } = createCommandTabs(service, () => browser);
    before(async () => {
      await started;
      await seedForConsole(service);
      browser = await launchBrowser();
    });
    after(() => browser.close());

    const call = async (method: string, path: string, body?: unknown): Promise<HttpReply> =>
      service.call(method, path, {
        token: (await sessionOf('owner')).token,
        ...(body === undefined ? {} : { body }),
      });

    const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
    /** The row of the setting; what was queued for the equipment stands below it. */
    const temperatureOf = (page: Page): Locator => rowOf(page, 'Maximum temperature').first();
    const readSetting = async (name: string, group = 'Operation') => {
      const { json } = await call('GET', `/api/v1/units/${unitKid}/groups/${group}`);
      return (json.values as { name: string; value: unknown; revision: string }[]).find((each) => each.name === name)!;
    };
    const storeSetting = async (name: string, value: unknown, group = 'Operation'): Promise<void> => {
      const { revision } = await readSetting(name, group);
      const { status, text } = await call('PUT', settingApi(name), { value, expectedRevision: revision });
      assert.equal(status, 200, text);
    };
    const historyOf = async (name: string): Promise<unknown[]> =>
      ((await call('GET', `${settingApi(name)}/history`)).json.items as { value: unknown }[]).map(({ value }) => value);

    async function openSetting(page: Page, label: string): Promise<Locator> {
      await page.getByRole('button', { name: `Change ${label}` }).click();
      await dialogOf(page).waitFor();
      return dialogOf(page).getByLabel('Value', { exact: true });
    }

    /** What the page sends is done, but it never gets the answer. */
    async function loseAnswers(page: Page, path: string, method: string): Promise<void> {
      // The page's own words for a failed request.
      page.removeAllListeners('console');
      await page.route(`**${path}`, async (route) => {
        const request = route.request();
        if (request.method() !== method) return route.continue();
        const { authorization = '', 'idempotency-key': key } = request.headers();
        const body = request.postDataJSON() as unknown;
        const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) };
        const { status, text } = await service.call(method, path, { headers, body });
        assert.ok(status < 300, text);
        return route.abort();
      });
    }

    test('[console.24] a setting is changed, shown as done and on its way, and undone', async () => {
      await storeSetting('MaxTemperature', 60);
      await inConsole(operation, async ({ page }) => {
        const value = await openSetting(page, 'Maximum temperature');
        assert.equal(await value.inputValue(), '60');
        await checkViews(page);
        await value.fill('90');
        await saveIn(page);
        await page.getByText('Saved: Maximum temperature (90 °C)').waitFor();
        assert.equal(await dialogOf(page).count(), 0);
        await temperatureOf(page).getByText('90 °C').waitFor();
        await temperatureOf(page).getByText('Queued').waitFor();
        assert.equal((await readSetting('MaxTemperature')).value, 90);
        await checkViews(page);
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Undone.').waitFor();
        await temperatureOf(page).getByText('60 °C').waitFor();
        assert.equal((await readSetting('MaxTemperature')).value, 60);
      });
    });

    test('[console.24] a setting shows how far it has come on its way to the equipment', async () => {
      await storeSetting('MaxTemperature', 60);
      await storeSetting('MaxTemperature', 90);
      const setState = async (state: 'sent' | 'acknowledged'): Promise<void> => {
        const { json } = await call('GET', `${bankApi}/device-syncs?unitKid=${unitKid}&limit=1`);
        const [{ syncId }] = json.items as [{ syncId: number }];
        await service.write('sund', (db) =>
          db
            .updateTable('device_sync')
            .set({ state })
            .where('bank_id', '=', 1001)
            .where('sync_id', '=', syncId)
            .execute(),
        );
      };
      await withConsole(browser, { port: service.port }, async ({ page, open, logIn }) => {
        await page.clock.install();
        await open(operation);
        await logIn('owner');
        await waitUntilShown(page);
        const row = temperatureOf(page);
        await row.getByText('Queued').waitFor();
        await setState('sent');
        await page.clock.fastForward(5000);
        await row.getByText('Sent').waitFor();
        await setState('acknowledged');
        await page.clock.fastForward(5000);
        await row.getByText('Confirmed').waitFor();
      });
    });

    test('[console.13] a setting is changed by keyboard alone, and the keyboard goes on where it was', async () => {
      await storeSetting('MaxTemperature', 60);
      await inConsole(operation, async ({ page }) => {
        const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
        await page.locator('h1').focus();
        for (let presses = 0; (await focused()) !== 'Change Maximum temperature'; presses += 1) {
          assert.ok(presses < 200, 'the button is not reached');
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
        await waitForFocus(page, "name === 'value'");
        await page.keyboard.press('Escape');
        await dialogOf(page).waitFor({ state: 'detached' });
        await waitForFocus(page, "textContent === 'Change Maximum temperature'");
        await page.keyboard.press('Enter');
        await waitForFocus(page, "name === 'value'");
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type('40');
        await page.keyboard.press('Enter');
        await page.getByText('Saved: Maximum temperature (40 °C)').waitFor();
        assert.equal((await readSetting('MaxTemperature')).value, 40);
        await waitForFocus(page, "textContent === 'Change Maximum temperature'");
      });
    });

    test('[console.21] two managers change the same setting: both versions are shown, and nothing typed is lost', async () => {
      await storeSetting('MaxTemperature', 60);
      await inConsole(
        operation,
        async ({ page }) => {
          const value = await openSetting(page, 'Maximum temperature');
          await value.fill('90');
          await inConsole(
            operation,
            async ({ page: other }) => {
              await (await openSetting(other, 'Maximum temperature')).fill('40');
              await saveIn(other);
              await other.getByText('Saved: Maximum temperature (40 °C)').waitFor();
            },
            { userName: 'bank' },
          );
          await saveIn(page);
          await page.getByText('Somebody else has changed this meanwhile.').waitFor();
          assert.match(await dialogOf(page).innerText(), /Bank manager of Sund/);
          assert.match(await dialogOf(page).innerText(), /Typed here\s+90 °C\s+Saved meanwhile\s+40 °C/);
          await checkViews(page);
          const goOn = dialogOf(page).getByRole('button', { name: 'Continue with this' });
          assert.equal(await goOn.getAttribute('aria-disabled'), 'true');
          // The choice survives neither a reload nor is it made by itself; the typing does.
          await page.reload();
          await waitForFocus(page, "name === 'value'");
          assert.equal(await dialogOf(page).getByLabel('Value').inputValue(), '90');
          await saveIn(page);
          await dialogOf(page).getByText('Typed here').click();
          await goOn.click();
          assert.equal(await dialogOf(page).getByLabel('Value').inputValue(), '90');
          assert.equal((await readSetting('MaxTemperature')).value, 40);
          await saveIn(page);
          await page.getByText('Saved: Maximum temperature (90 °C)').waitFor();
          assert.deepEqual((await historyOf('MaxTemperature')).slice(0, 3), [90, 40, 60]);
        },
        { expected: [409] },
      );
    });

    test('[console.20] a command whose answer was lost is done once, however often it is sent', async () => {
      const commandsOf = async (): Promise<unknown[]> =>
        (await call('GET', `/api/v1/units/${unitKid}/commands`)).json.items as unknown[];
      const sentBefore = (await commandsOf()).length;
      await inConsole(`${operation}&do=send.Restart`, async ({ page }) => {
        const path = `/api/v1/units/${unitKid}/commands`;
        await loseAnswers(page, path, 'POST');
        await checkViews(page);
        await dialogOf(page).getByLabel('Expires after').selectOption('60');
        await dialogOf(page).getByRole('button', { name: 'Send the command' }).click();
        await page.getByText('It is not known whether this was done').waitFor();
        assert.equal((await commandsOf()).length, sentBefore + 1);
        await checkViews(page);
        // A reload forgets neither what was chosen nor that it was sent.
        await page.reload();
        await page.getByText('It is not known whether this was done').waitFor();
        assert.equal(await dialogOf(page).getByLabel('Expires after').inputValue(), '60');
        await page.unroute(`**${path}`);
        await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
        await page.getByText('Restart: sent to Washer 2.').waitFor();
        assert.equal((await commandsOf()).length, sentBefore + 1);
        await rowOf(page, 'Restart').first().getByText('Queued').waitFor();
      });
    });

    test('[console.20] what nobody knows can be looked at before it is tried again', async () => {
      await storeSetting('MaxTemperature', 60);
      await inConsole(operation, async ({ page }) => {
        await loseAnswers(page, settingApi('MaxTemperature'), 'PUT');
        await (await openSetting(page, 'Maximum temperature')).fill('90');
        await saveIn(page);
        await dialogOf(page).getByRole('button', { name: 'Look at the current state' }).click();
        await temperatureOf(page).getByText('90 °C').waitFor();
        assert.equal(await dialogOf(page).count(), 0);
        await page.unroute(`**${settingApi('MaxTemperature')}`);
        await openSetting(page, 'Maximum temperature');
        await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
        await page.getByText('Saved: Maximum temperature (90 °C)').waitFor();
        assert.deepEqual((await historyOf('MaxTemperature')).slice(0, 2), [90, 60]);
      });
    });

    test('[console.22] an answer 503 says that nobody knows, and loses no typing', async () => {
      await storeSetting('MaxTemperature', 60);
      await inConsole(
        operation,
        async ({ page }) => {
          await (await openSetting(page, 'Maximum temperature')).fill('40');
          await callWithoutStorage(service, async () => {
            await saveIn(page);
            await page.getByText('It is not known whether this was done').waitFor();
            return service.call('GET', '/livez');
          });
          assert.equal(await dialogOf(page).getByLabel('Value').inputValue(), '40');
          await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
          await page.getByText('Saved: Maximum temperature (40 °C)').waitFor();
          assert.equal((await readSetting('MaxTemperature')).value, 40);
        },
        { expected: [503] },
      );
    });

    test('[console.22] a refusal is told at its field, or with the request to ask about, and loses no typing', async () => {
      await storeSetting('MaxTemperature', 60);
      await inConsole(
        operation,
        async ({ page }) => {
          const value = await openSetting(page, 'Maximum temperature');
          await value.fill('warm');
          await saveIn(page);
          await dialogOf(page).getByText('This is not a number.').waitFor();
          await value.fill('61');
          await saveIn(page);
          await dialogOf(page).locator('.field-errors', { hasText: 'In steps of 5.' }).waitFor();
          await waitForFocus(page, "getAttribute('aria-invalid') === 'true'");
          assert.equal(await value.inputValue(), '61');
          await checkViews(page);
          await page.route(`**${settingApi('MaxTemperature')}`, (route) =>
            route.fulfill({
              status: 429,
              contentType: 'application/problem+json',
              headers: { 'retry-after': '1', 'x-request-id': '0a0a0a0a-0000-4000-8000-000000000000' },
              body: JSON.stringify({ status: 429, code: 'too-many-requests', title: 'The rate limit is used up.' }),
            }),
          );
          await value.fill('40');
          await saveIn(page);
          await dialogOf(page).getByText('Wait a moment, and try again.').waitFor();
          await dialogOf(page).getByText('Details').click();
          assert.match(await dialogOf(page).innerText(), /Request 0a0a0a0a-/);
          assert.equal(await value.inputValue(), '40');
          await page.unroute(`**${settingApi('MaxTemperature')}`);
          await saveIn(page);
          await page.getByText('Saved: Maximum temperature (40 °C)').waitFor();
        },
        { expected: [400, 429] },
      );
    });

    test('[console.22] a session that ends during a command hides everything, and gives the typing back to the same manager alone', async () => {
      await storeSetting('MaxTemperature', 60);
      await withConsole(browser, { port: service.port, expected: [401] }, async ({ page, open, logIn }) => {
        const stored = (): Promise<string> => page.evaluate('JSON.stringify(Object.entries(sessionStorage))');
        await open(operation);
        await logIn('owner');
        await waitUntilShown(page);
        await (await openSetting(page, 'Maximum temperature')).fill('40');
        assert.match(await stored(), /"40\b/);
        const { token } = JSON.parse(await page.evaluate(`sessionStorage.getItem('${sessionKey}')`)) as {
          token: string;
        };
        assert.equal((await service.call('POST', '/api/v1/session/logout', { token })).status, 204);
        await saveIn(page);
        await page.getByText('The session has ended. Log in again.').waitFor();
        assert.equal(await dialogOf(page).count(), 0);
        assert.equal(await page.getByText('Maximum temperature').count(), 0);
        assert.doesNotMatch(await stored(), /draft/);
        await logIn('owner');
        await waitForFocus(page, "name === 'value'");
        assert.equal(await dialogOf(page).getByLabel('Value').inputValue(), '40');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Your menu' }).click();
        await page.getByRole('menuitem', { name: 'Log out' }).click();
        await page.getByText('You have logged out.').waitFor();
        assert.doesNotMatch(await stored(), /draft/);
        await page.goto(`http://api.sund.localhost:${service.port}/console${operation}`);
        await logIn('bank');
        await waitUntilShown(page);
        assert.equal(await (await openSetting(page, 'Maximum temperature')).inputValue(), '60');
      });
    });

    test('[console.22] a right that is lost during a command clears the screen, and shows what was typed', async () => {
      const manager = '/api/v1/managers/sund-M1004';
      const setRight = async (granted: boolean): Promise<void> => {
        const { json } = await call('GET', manager);
        const body = { granted, expectedRevision: json.permissionRevision };
        const { status, text } = await call('PUT', `${manager}/permissions/Unit/Write`, body);
        assert.equal(status, 200, text);
      };
      await inConsole(
        operation,
        async ({ page }) => {
          await (await openSetting(page, 'Maximum temperature')).fill('30');
          await setRight(false);
          await saveIn(page);
          await dialogOf(page).getByText('Your rights do not allow it.').first().waitFor();
          await waitUntilShown(page);
          assert.equal(await dialogOf(page).getByLabel('Value').inputValue(), '30');
          const save = dialogOf(page).getByRole('button', { name: 'Save' });
          assert.equal(await save.getAttribute('aria-disabled'), 'true');
          await dialogOf(page).getByRole('button', { name: 'Close' }).click();
          assert.equal(await page.getByRole('button', { name: /^Change / }).count(), 0);
        },
        { userName: 'location', expected: [403] },
      );
      await setRight(true);
    });

    test('[console.22] unsaved work survives a reload, and goes when it is discarded or done', async () => {
      await storeSetting('Note', 'Clean the filter', 'General');
      await inConsole(`${unit}?group=General`, async ({ page }) => {
        await (await openSetting(page, 'Note')).fill('Clean the filter on Monday');
        await page.keyboard.press('Escape');
        // It has gone back in the history, which a reload would end.
        await dialogOf(page).waitFor({ state: 'detached' });
        await page.reload();
        await waitUntilShown(page);
        const value = await openSetting(page, 'Note');
        assert.equal(await value.inputValue(), 'Clean the filter on Monday');
        await dialogOf(page).getByText('What was typed earlier is still here.').waitFor();
        await dialogOf(page).getByRole('button', { name: 'Discard the changes' }).click();
        await dialogOf(page).waitFor({ state: 'detached' });
        assert.equal(await (await openSetting(page, 'Note')).inputValue(), 'Clean the filter');
        // Back closes it.
        await page.goBack();
        await dialogOf(page).waitFor({ state: 'detached' });
        assert.doesNotMatch(await page.evaluate('JSON.stringify(Object.keys(sessionStorage))'), /draft/);
      });
    });

    test('opening hours, yes or no, choices, times and prices have fields of their own', async () => {
      await storeSetting('OpeningMonday', '07:00-22:00', 'OpeningHours');
      await inConsole(`${unit}?group=OpeningHours`, async ({ page }) => {
        await page.getByRole('button', { name: 'Change Monday' }).click();
        await dialogOf(page).getByLabel('From').fill('08:30');
        await dialogOf(page).getByRole('button', { name: 'Add hours' }).click();
        await checkViews(page);
        await dialogOf(page).getByLabel('From').nth(1).fill('22:30');
        await dialogOf(page).getByLabel('To').nth(1).fill('00:00');
        await saveIn(page);
        await page.getByText(/^Saved: Monday/).waitFor();
        assert.equal((await readSetting('OpeningMonday', 'OpeningHours')).value, '08:30-22:00,22:30-24:00');
      });
      await inConsole(`${unit}?group=Prices`, async ({ page }) => {
        const { value: stored } = await readSetting('PriceWash60', 'Prices');
        const price = await openSetting(page, 'Price of a wash at 60 °C');
        assert.equal(Number(await price.inputValue()), Number(stored) / 100);
        await price.fill('12,5');
        await saveIn(page);
        await page.getByText(/^Saved: .*12\.50/).waitFor();
        assert.equal((await readSetting('PriceWash60', 'Prices')).value, 1250);
      });
      await inConsole(`${unit}?group=General`, async ({ page }) => {
        const { value: stored } = await readSetting('OutOfOrder', 'General');
        await (
          await openSetting(page, 'Put out of order by a manager')
        ).selectOption(stored === true ? 'false' : 'true');
        await saveIn(page);
        await page.getByText(/^Saved: Put out of order by a manager/).waitFor();
        assert.equal((await readSetting('OutOfOrder', 'General')).value, stored !== true);
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Undone.').waitFor();
      });
    });

    test('[console.23] a booking is cancelled and restored, each after the service has checked it', async () => {
      const { json } = await call('GET', `${bankApi}/bookings?from=2000-01-01&through=2000-01-02`);
      assert.deepEqual(json.items, []);
      const today = new Date().toISOString().slice(0, 10);
      const later = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
      const listed = await call('GET', `${bankApi}/bookings?from=${today}&through=${later}&state=Booked&limit=200`);
      type Listed = { eventKid: string; firstEventKid: string; unitName: string; commands: string[] };
      const booking = (listed.json.items as Listed[]).findLast(({ commands }) => commands.includes('Cancel'));
      assert.ok(booking !== undefined);
      const stateOf = async (): Promise<string> =>
        (await call('GET', `${bankApi}/bookings/${booking.firstEventKid}`)).json.state as string;
      await inConsole(
        `${bank}/bookings?from=${today}&through=${later}&do=cancel.${booking.eventKid}`,
        async ({ page }) => {
          await dialogOf(page).getByText(booking.unitName).waitFor();
          await checkViews(page);
          await dialogOf(page).getByRole('button', { name: 'Cancel the booking' }).click();
          await page.getByText(/^The booking of .* has been cancelled\.$/).waitFor();
          assert.equal(await stateOf(), 'Cancelled');
          await page.getByRole('button', { name: 'Undo' }).click();
          await page.getByText('Undone.').waitFor();
          assert.equal(await stateOf(), 'Booked');
        },
      );
      await inConsole(`${bank}/bookings?view=week&from=${today}`, async ({ page }) => {
        assert.equal(await page.locator('main ol:not(nav *) > li').count(), 7);
        await page.getByRole('button', { name: 'Next' }).click();
        await waitUntilShown(page);
        assert.equal(await page.locator('main ol:not(nav *) > li').count(), 7);
      });
      const ended = await call('GET', `${bankApi}/bookings?from=${today}&through=${later}&state=Cancelled&limit=200`);
      const refused = (ended.json.items as Listed[]).find(({ commands }) => commands.length === 0);
      const past = refused?.eventKid ?? booking.firstEventKid;
      await inConsole(
        `${bank}/bookings?from=${today}&do=restore.${past}`,
        async ({ page }) => {
          await dialogOf(page).locator('#command-refusal').waitFor();
          const button = dialogOf(page).getByRole('button', { name: 'Restore the booking' });
          assert.equal(await button.getAttribute('aria-disabled'), 'true');
          assert.match(await dialogOf(page).locator('#command-refusal').innerText(), /\w+/);
          await button.click({ force: true });
          assert.equal(await dialogOf(page).count(), 1);
          await checkViews(page);
        },
        { expected: [409, 422] },
      );
    });

    test('[console.23] a posting is reversed after its preview, once', async () => {
      const { json } = await call('GET', `${bankApi}/account?Period=0`);
      const entry = (json.items as { kid: string; reversible: boolean; amountMinor: number }[]).find(
        ({ reversible }) => reversible,
      );
      assert.ok(entry !== undefined);
      const revisionOf = async (): Promise<unknown> =>
        (await call('GET', `${bankApi}/account?Period=0`)).json.revision as unknown;
      const revision = await revisionOf();
      await inConsole(`${bank}/account`, async ({ page }) => {
        await page
          .getByRole('button', { name: /^Reverse/ })
          .first()
          .click();
        await dialogOf(page).getByText('This posting would be added to the account.').waitFor();
        await dialogOf(page).locator('.amount').waitFor();
        // The preview has written nothing.
        assert.equal(await revisionOf(), revision);
        await checkViews(page);
        await dialogOf(page).getByRole('button', { name: 'Reverse' }).click();
        await page.getByText(/^Reversed: .* was posted\.$/).waitFor();
        await page.getByRole('link', { name: 'Show the account of the resident' }).click();
        await page.waitForURL(/userKid=/);
        await waitUntilShown(page);
        await page.getByText('Reversal', { exact: true }).first().waitFor();
      });
      await inConsole(
        `${bank}/account?do=reverse.${entry.kid}`,
        async ({ page }) => {
          await dialogOf(page).getByText('This is not possible now').waitFor();
          const button = dialogOf(page).getByRole('button', { name: 'Reverse' });
          assert.equal(await button.getAttribute('aria-disabled'), 'true');
        },
        { expected: [409] },
      );
    });

    test('an address is written and looked up, and coordinates are set by hand', async () => {
      const kid = 'sund-B1001-L1';
      const written = (await call('GET', `/api/v1/addresses/${kid}`)).json as { address: string; zip: string };
      await inConsole(`/locations/${kid}`, async ({ page }) => {
        await page.getByRole('button', { name: 'Change Address' }).click();
        await dialogOf(page).getByLabel('Street and number').fill('Alder Lane 2');
        await dialogOf(page).getByLabel('Postal code').fill('2100');
        await checkViews(page);
        await saveIn(page);
        await page.getByText(/^Saved/).waitFor();
        assert.equal((await call('GET', `/api/v1/addresses/${kid}`)).json.address, 'Alder Lane 2');
        await page.getByRole('button', { name: 'Set the coordinates' }).click();
        await dialogOf(page).getByLabel('Latitude').fill('55,676111');
        await dialogOf(page).getByLabel('Longitude').fill('12.568');
        await saveIn(page);
        await page.getByText('The coordinates have been set.').waitFor();
        const { latitude, longitude, autoLatitudeLongitude } = (await call('GET', `/api/v1/addresses/${kid}`)).json;
        assert.deepEqual([latitude, longitude, autoLatitudeLongitude], [55_676_111, 12_568_000, 30]);
        await page.getByRole('button', { name: 'Set their origin' }).click();
        await dialogOf(page).getByLabel('Origin of the coordinates').selectOption('0');
        await saveIn(page);
        await page.getByText('The origin of the coordinates has been set.').waitFor();
        await page.getByRole('button', { name: 'Look up the coordinates' }).click();
        await dialogOf(page).getByRole('button', { name: 'Look up the coordinates' }).click();
        await page
          .getByText(/looked up|lookup/)
          .last()
          .waitFor();
      });
      const { revision } = (await call('GET', `/api/v1/addresses/${kid}`)).json;
      await call('PUT', `/api/v1/addresses/${kid}`, {
        address: written.address,
        zip: written.zip,
        expectedRevision: revision,
      });
    });

    test('a setting is written to other units of the type too, each once', async () => {
      const washer = (at: number): string => `/api/v1/units/sund-B1001-L1-U${at}`;
      const spinOf = async (at: number): Promise<unknown> => {
        const { json } = await call('GET', `${washer(at)}/groups/Operation`);
        return (json.values as { name: string; value: unknown }[]).find(({ name }) => name === 'MaxSpinSpeed')?.value;
      };
      const historyOfWasher = async (at: number): Promise<unknown[]> =>
        (await call('GET', `${washer(at)}/settings/MaxSpinSpeed/history`)).json.items as unknown[];
      const counts = [(await historyOfWasher(1)).length, (await historyOfWasher(2)).length];
      await inConsole(operation, async ({ page }) => {
        await (await openSetting(page, 'Maximum spin speed')).fill('1000');
        await dialogOf(page).getByLabel('Washer 1').check();
        await checkViews(page);
        await loseAnswers(page, `${washer(1)}/settings/MaxSpinSpeed`, 'PUT');
        await saveIn(page);
        await page.getByText('It is not known whether this was done').waitFor();
        await page.unroute(`**${washer(1)}/settings/MaxSpinSpeed`);
        await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
        await page.getByText('2 settings have been saved.').waitFor();
        assert.deepEqual([await spinOf(1), await spinOf(2), await spinOf(3)], [1000, 1000, 1400]);
        const after1 = [(await historyOfWasher(1)).length, (await historyOfWasher(2)).length];
        assert.deepEqual(
          after1,
          counts.map((count) => count + 1),
        );
      });
    });

    test('opening hours are set for several units at once, and a second try goes on where the first one ended', async () => {
      const hoursOf = async (each: string): Promise<unknown[]> => {
        const { json } = await call('GET', `/api/v1/units/${each}/groups/OpeningHours`);
        return (json.values as { value: unknown }[]).map(({ value }) => value);
      };
      const dryers = ['sund-B1001-L1-U4', 'sund-B1001-L1-U5'] as const;
      await inConsole(
        `/locations/sund-B1001-L1?do=hours.${dryers[0]}`,
        async ({ page }) => {
          await dialogOf(page).getByText('Dryer 1, Dryer 2').waitFor();
          await saveIn(page);
          await dialogOf(page).getByText('Choose at least one day.').waitFor();
          await dialogOf(page).getByLabel('Saturday').check();
          await dialogOf(page).getByLabel('Sunday').check();
          await dialogOf(page).getByLabel('From').fill('09:00');
          await dialogOf(page).getByLabel('To', { exact: true }).fill('18:00');
          await checkViews(page);
          const second = `**/api/v1/units/${dryers[1]}/settings/OpeningSunday`;
          await page.route(second, (route) => route.fulfill({ status: 503, body: '' }));
          await saveIn(page);
          await dialogOf(page).getByText('It is not known whether this was done').waitFor();
          assert.deepEqual((await hoursOf(dryers[0])).slice(5), ['09:00-18:00', '09:00-18:00']);
          await page.unroute(second);
          await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
          await page.getByText('1 setting has been saved.').waitFor();
          for (const dryer of dryers)
            assert.deepEqual((await hoursOf(dryer)).slice(4), ['06:00-24:00', '09:00-18:00', '09:00-18:00'], dryer);
          await page.getByText('Saturday–Sunday').waitFor();
        },
        { expected: [503] },
      );
    });

    test('[console.23] held lines are posted for a resident after their preview, or discarded with a reason', async () => {
      await service.write('sund', (db) => insertHeldLines(db, { bankId: 1001, count: 2 }));
      await inConsole(
        `${bank}/held-lines`,
        async ({ page }) => {
          const resolve = page.getByRole('button', { name: /^Resolve/ });
          assert.equal(await resolve.count(), 2);
          await resolve.first().click();
          await dialogOf(page).getByLabel('What to do').selectOption('assign');
          const post = dialogOf(page).getByRole('button', { name: 'Post the line' });
          assert.equal(await post.getAttribute('aria-disabled'), 'true');
          await dialogOf(page).getByLabel('Find a resident').fill('resident12@');
          const resident = dialogOf(page).getByLabel('Resident', { exact: true });
          await resident.selectOption('sund-B1001-R1012');
          await dialogOf(page).getByText('DKK 50.00').waitFor();
          await checkViews(page);
          await post.click();
          await page.getByText('The line has been posted.').waitFor();
          const posted = await call('GET', `${bankApi}/held-lines?state=resolved`);
          assert.equal((posted.json.items as unknown[]).length, 1);
          await resolve.first().click();
          await dialogOf(page).getByLabel('What to do').selectOption('discard');
          const discard = dialogOf(page).getByRole('button', { name: 'Discard the line' });
          await discard.click();
          await dialogOf(page).getByText('This has to be filled in.').waitFor();
          await dialogOf(page).getByLabel('Reason').fill('It was a test');
          await discard.click();
          await page.getByText('The line no longer waits.').waitFor();
          await resolve.first().waitFor({ state: 'detached' });
          await page.getByLabel('State').selectOption('discarded');
          await page.getByText('It was a test').waitFor();
        },
        { expected: [400] },
      );
    });

    test('what the equipment has refused is shown with its code, and sent again', async () => {
      await storeSetting('MaxTemperature', 60);
      await storeSetting('MaxTemperature', 90);
      const { json } = await call('GET', `${bankApi}/device-syncs?unitKid=${unitKid}&limit=1`);
      const [{ syncId }] = json.items as [{ syncId: number }];
      await service.write('sund', (db) =>
        db
          .updateTable('device_sync')
          .set({ state: 'failed', code: 'E12' })
          .where('bank_id', '=', 1001)
          .where('sync_id', '=', syncId)
          .execute(),
      );
      await inConsole(operation, async ({ page }) => {
        await temperatureOf(page).getByText('Refused').waitFor();
        await page
          .getByRole('button', { name: /^Send again/ })
          .first()
          .click();
        await checkViews(page);
        await dialogOf(page).getByRole('button', { name: 'Send again' }).click();
        await page.getByText('It has been queued once more.').waitFor();
        await temperatureOf(page).getByText('Queued').waitFor();
      });
      await waitUntil('the refused record is superseded', async () => {
        const states = await call('GET', `${bankApi}/device-syncs?unitKid=${unitKid}&state=superseded`);
        return (states.json.items as { syncId: number }[]).some((sync) => sync.syncId === syncId);
      });
    });

    test('[console.12] a manager without the right to a command is not shown it, not even by its address', () =>
      inConsole(
        operation,
        async ({ page, open }) => {
          for (const path of [
            operation,
            `${operation}&do=set.MaxTemperature`,
            `${operation}&do=send.Restart`,
            `${bank}/bookings?do=cancel.sund-B1001-E1`,
            `${bank}/account?do=reverse.sund-B1001-T1`,
            `/locations/sund-B1001-L1?do=address`,
          ]) {
            await open(path);
            await waitUntilShown(page);
            assert.equal(await dialogOf(page).count(), 0, path);
            const names = /^(?:Change|Send|Cancel|Restore|Reverse|Look up|Set|Restart)/;
            assert.equal(await page.getByRole('button', { name: names }).count(), 0, path);
          }
        },
        { userName: 'reader' },
      ));
  });
});
