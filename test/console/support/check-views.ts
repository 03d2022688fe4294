// What every screen of the console has to fulfil, in light and dark, wide and narrow: axe finds nothing against it, and it
// fits the window.

import axe from 'axe-core';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** The narrowest is that of 1280 pixels at 400 % (WCAG 2.2, 1.4.10). */
const views = [
  ['light', 1280],
  ['dark', 320],
] as const;

/** By the debugging protocol, so that the policy of the page stays as it is. */
export const loadAxe = (page: Page): Promise<unknown> => page.evaluate(axe.source);

/** Every rule of axe's default set; and nothing overflows. */
export async function checkView(page: Page, name: string): Promise<void> {
  const violations = await page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + " " + html.slice(0, 150))))',
  );
  assert.deepEqual(violations, [], name);
  const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  assert.equal(await page.evaluate(width), 0, `${name} is wider than the window`);
}

export async function checkViews(page: Page): Promise<void> {
  await loadAxe(page);
  for (const [colorScheme, width] of views) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await checkView(page, `${colorScheme}, ${width} pixels`);
  }
}
