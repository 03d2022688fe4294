// Tabs in which a manager is logged in already, and what tests of commands look at in them.

import axe from 'axe-core';
import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { waitUntil } from '../../support/async.ts';
import type { TestService } from '../../support/service.ts';
import { waitUntilShown, withConsole, type ConsolePage } from './console-page.ts';
import { logInDemo, type ConsoleSession } from './console-session.ts';

const sessionKey = 'portal-console-session';

type TabOptions = { readonly userName?: string; readonly expected?: readonly number[] };

export type CommandTabs = {
  /** One session for each manager. */
  sessionOf(userName: string): Promise<ConsoleSession>;
  /** A tab in which the manager is logged in: `owner` unless told otherwise. */
  inConsole(path: string, use: (opened: ConsolePage) => Promise<void>, options?: TabOptions): Promise<void>;
};

/** @param browserOf the browser, once it has been launched */
export function createCommandTabs(service: TestService, browserOf: () => Browser): CommandTabs {
  const sessions = new Map<string, ConsoleSession>();

  async function sessionOf(userName: string): Promise<ConsoleSession> {
    const known = sessions.get(userName);
    if (known !== undefined) return known;
    const session = await logInDemo(service, userName);
    sessions.set(userName, session);
    return session;
  }

  return {
    sessionOf,
    inConsole: async (path, use, { userName = 'owner', expected = [] } = {}) => {
      const session = JSON.stringify(await sessionOf(userName));
      await withConsole(browserOf(), { port: service.port, expected }, async (opened) => {
        // A reload, and what the tab does itself, keep what is there.
        await opened.page.addInitScript(
          `if (sessionStorage.getItem('tested') === null) {
            sessionStorage.setItem('tested', 'yes');
            sessionStorage.setItem('${sessionKey}', ${JSON.stringify(session)});
          }`,
        );
        await opened.open(path);
        await waitUntilShown(opened.page);
        await use(opened);
      });
    },
  };
}

export const dialogOf = (page: Page): Locator => page.getByRole('dialog');

export const saveIn = (page: Page): Promise<void> => dialogOf(page).getByRole('button', { name: 'Save' }).click();

/** The policy of the page allows no `waitForFunction`. */
export const waitForFocus = (page: Page, condition: string): Promise<void> =>
  waitUntil(condition, () => page.evaluate<boolean>(`document.activeElement.${condition}`));

/** Axe on the dialog, or on the page if none is open, light and dark, wide and narrow. */
export async function checkViews(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const violations = await page.evaluate<string[]>(
      'axe.run(document.querySelector("[role=dialog]") ?? document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + " " + html.slice(0, 150))))',
    );
    assert.deepEqual(violations, [], `${colorScheme}, ${width} pixels`);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate(overflow), 0, `wider than ${width} pixels`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
