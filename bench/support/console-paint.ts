// The largest contentful paint of a screen of the console (https://web.dev/articles/lcp).

import type { Browser, Page } from 'playwright-core';
import { waitUntilShown } from '../../test/console/support/console-page.ts';
import { inConsoleTab, type ConsoleTarget } from './console-tab.ts';

type PaintOptions = ConsoleTarget & { readonly path: string; readonly isSlow: boolean };

const watchPaints = `window.largestPaint = Number.NaN;
  new PerformanceObserver((list) => {
    window.largestPaint = list.getEntries().at(-1).startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });`;

/** Milliseconds from the beginning of the navigation. */
export async function largestPaint(browser: Browser, { path, ...options }: PaintOptions): Promise<number> {
  let paintedMs = Number.NaN;
  await inConsoleTab(browser, { ...options, watch: watchPaints }, async ({ page, open }) => {
    await open(path);
    if (options.token !== '') await waitUntilShown(page);
    await waitForFrames(page);
    paintedMs = await page.evaluate<number>('window.largestPaint');
  });
  return paintedMs;
}

/** What was rendered has been painted, and the observers have heard of it. */
export const waitForFrames = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)));
  })`);
