// Every screen of the console with texts as long as those of the longest language: none is cut, none makes the screen
// wider than the window, and none has been forgotten in the catalogue.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { noBrowser } from '../support/browser.ts';
import { consoleFixture } from './support/built-console.ts';
import { launchBrowser, seedForConsole, waitUntilShown, withConsole } from './support/console-page.ts';
import { consoleScreens } from './support/console-screens.ts';
import { logInDemo, useSession, type ConsoleSession } from './support/console-session.ts';
import { listCutTexts, listForeignTexts, listWideElements, usePseudoLocale } from './support/pseudo-locale.ts';

const { service, started } = consoleFixture();

const dialogs = [
  '/units/sund-B1001-L1-U2?group=Operation&do=set.MaxTemperature',
  '/banks/sund-B1001?do=address',
  '/banks/sund-B1001/residents/sund-B1001-R1001?do=SetName',
  '/imports/profiles?do=new-profile',
  '/managers/sund-M1005?do=permissions',
] as const;

/** What the service names, and what is the same in every language. */
const ownNames = new Set(['KID', 'CSV', 'XLS', 'ZIP']);

describe('the console with long texts', { skip: noBrowser }, () => {
  let browser: Browser;
  let owner: ConsoleSession;
  before(async () => {
    await started;
    await seedForConsole(service);
    owner = await logInDemo(service);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const path of [...consoleScreens.map(([each]) => each), ...dialogs])
    test(`[console.38] ${path} has room for long texts`, () =>
      withConsole(browser, { port: service.port }, async ({ page, open }) => {
        await usePseudoLocale(page);
        await useSession(page, owner);
        await open(path);
        await waitUntilShown(page);
        if (path.includes('do=')) await page.getByRole('dialog').waitFor();
        for (const width of [320, 390, 1280, 2560]) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await listWideElements(page), [], `wider than ${width} pixels`);
          assert.deepEqual(await listCutTexts(page), [], `${width} pixels`);
        }
        // The groups of settings and states are named by the service.
        if (path.startsWith('/units/')) return;
        const foreign = await listForeignTexts(page);
        assert.deepEqual(
          foreign.filter((text) => !ownNames.has(text)),
          [],
        );
      }));
});
