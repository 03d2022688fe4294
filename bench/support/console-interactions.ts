// How soon the console shows its reaction to keys and clicks on a slow computer: the interaction to next paint
// (https://web.dev/articles/inp) of what managers do most.

import type { Browser, Page } from 'playwright-core';
import { waitUntilShown } from '../../test/console/support/console-page.ts';
import { waitForFrames } from './console-paint.ts';
import { inConsoleTab, type ConsoleTarget } from './console-tab.ts';

/** Of each interaction the longest of its events. The browser tells only of those that take 16 ms and more. */
const watchInteractions = `window.interactions = {};
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries())
      if (id > 0) window.interactions[id] = Math.max(duration, window.interactions[id] ?? 0);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

/** One in so many may take longer: the 98th percentile. */
const interactionsForOneLonger = 50;

/** How long people hold a key or a button, at least: without it both of its events wait for the same frame. */
const held = { delay: 80 };
/** Between the letters of somebody who types fast. */
const typed = { delay: 60 };

type Step = (page: Page) => Promise<unknown>;

const bank = '/banks/sund-B1001';
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click(held);
const openTab = async (page: Page, name: string): Promise<void> => {
  await page.locator('nav.tabs').getByRole('link', { name, exact: true }).click(held);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await waitUntilShown(page);
};

/** Every step ends when what it shows is there, so that the next one meets a page at rest. */
const steps: readonly Step[] = [
  filterResidents,
  sortAndPage,
  (page) => openTab(page, 'Account'),
  narrowAccount,
  (page) => openTab(page, 'Bookings'),
  (page) => openTab(page, 'Settlements'),
  (page) => openTab(page, 'Documents'),
  findWithPalette,
  changeSetting,
  chooseTheme,
];

/** The 98th percentile of a round, in milliseconds. */
export async function interact(browser: Browser, target: ConsoleTarget): Promise<number> {
  let percentileMs = Number.NaN;
  await inConsoleTab(browser, { ...target, isSlow: true, watch: watchInteractions }, async ({ page, open }) => {
    await open(`${bank}/residents`);
    await waitUntilShown(page);
    for (const step of steps) {
      await step(page);
      await waitForFrames(page);
    }
    percentileMs = await readPercentile(page);
  });
  return percentileMs;
}

async function readPercentile(page: Page): Promise<number> {
  const found = await page.evaluate<readonly number[]>('Object.values(window.interactions)');
  const count = await page.evaluate<number>('performance.interactionCount');
  const longest = found.toSorted((a, b) => b - a);
  // Those that the browser does not tell of are the shortest.
  return longest[Math.min(Math.floor(count / interactionsForOneLonger), longest.length - 1)] ?? Number.NaN;
}

async function filterResidents(page: Page): Promise<void> {
  await page.keyboard.press('/', held);
  await page.keyboard.type('resident12', typed);
  await page.waitForURL(/filter=resident12/);
  await waitUntilShown(page);
  for (let letter = 0; letter < 'resident12'.length; letter += 1) await page.keyboard.press('Backspace', held);
  await page.waitForURL((url) => !url.searchParams.has('filter'));
  await waitUntilShown(page);
}

async function sortAndPage(page: Page): Promise<void> {
  for (const name of [/^Name/, /^Name/]) {
    await press(page, name);
    await waitUntilShown(page);
  }
  for (const name of ['Next', 'Next', 'Previous']) {
    await press(page, name);
    await waitUntilShown(page);
  }
}

async function narrowAccount(page: Page): Promise<void> {
  for (const name of ['Next', 'Next', 'Previous']) {
    await press(page, name);
    await waitUntilShown(page);
  }
  const boxes = page.locator('search.filters input[type="checkbox"]');
  for (let at = 0; at < (await boxes.count()); at += 1) {
    await boxes.nth(at).click(held);
    await waitUntilShown(page);
  }
}

async function findWithPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[role="dialog"] [role="option"]').first().waitFor();
  await page.keyboard.type('washer', typed);
  await page.locator('[role="dialog"] [role="status"]', { hasText: /\d result/ }).waitFor();
  for (let down = 0; down < 4; down += 1) await page.keyboard.press('ArrowDown', held);
  await page.keyboard.press('Enter', held);
  await page.waitForURL(/\/units\//);
  await waitUntilShown(page);
}

/** A dialog is opened, typed into, and closed. */
async function changeSetting(page: Page): Promise<void> {
  await press(page, /^Change /);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.type('Clean it', typed);
  await page.keyboard.press('Escape', held);
  await dialog.waitFor({ state: 'detached' });
}

async function chooseTheme(page: Page): Promise<void> {
  for (const theme of ['Dark', 'Light']) {
    await press(page, 'Your menu');
    await page.getByRole('menuitemradio', { name: theme }).click(held);
    await page.locator(`html[data-theme="${theme.toLowerCase()}"]`).waitFor();
  }
}
