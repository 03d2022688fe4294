// The long frames of an account while a reader scrolls through it, page after page.

import type { Browser } from 'playwright-core';
import { waitUntilShown } from '../../test/console/support/console-page.ts';
import { waitForFrames } from './console-paint.ts';
import { inConsoleTab, type ConsoleTarget } from './console-tab.ts';

type FramesOptions = ConsoleTarget & {
  /** How many rows a round scrolls through. */
  readonly rowCount: number;
  /** Each round goes on where the one before has ended. */
  readonly round: number;
};

const dayMs = 86_400_000;
/** A day less than the longest range: at the place it may be tomorrow already. */
const days = 365;
const rowsPerPage = 50;
const wheelPixels = 400;

// Frames over 50 ms are those that the browser itself calls long (https://w3c.github.io/long-animation-frames/).
const watchFrames = `window.longFrames = 0;
  new PerformanceObserver((list) => {
    window.longFrames += list.getEntries().length;
  }).observe({ type: 'long-animation-frame' });`;

/** How many frames of the round were over 50 ms, while rows scrolled and while the next page came. */
export async function slowFrames(browser: Browser, options: FramesOptions): Promise<number> {
  const { rowCount, round } = options;
  const from = new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
  const path = `/banks/sund-B1001/account?period=dates&from=${from}&offset=${round * rowCount}`;
  let count = Number.NaN;
  await inConsoleTab(browser, { ...options, isSlow: false, watch: watchFrames }, async ({ page, open }) => {
    await open(path);
    await waitUntilShown(page);
    await waitForFrames(page);
    await page.evaluate('window.longFrames = 0');
    await page.mouse.move(640, 450);
    for (let row = 0; row < rowCount; row += rowsPerPage) {
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      for (let at = 0; at < height; at += wheelPixels) await page.mouse.wheel(0, wheelPixels);
      await waitForFrames(page);
      const next = page.getByRole('button', { name: 'Next' });
      if (await next.isDisabled()) break;
      await next.click();
      await page.waitForURL(new RegExp(`offset=${round * rowCount + row + rowsPerPage}$`));
      await waitUntilShown(page);
    }
    count = await page.evaluate<number>('window.longFrames');
  });
  return count;
}
