// A tab of the console for a benchmark: logged in, and slowed down if asked for.

import type { Browser, Page } from 'playwright-core';
import { withConsole, type ConsolePage } from '../../test/console/support/console-page.ts';
import { useSession } from '../../test/console/support/console-session.ts';

export type ConsoleTarget = { readonly port: number; readonly host: string; readonly token: string };

type TabOptions = ConsoleTarget & {
  readonly isSlow: boolean;
  /** Runs in the page before anything else. */
  readonly watch: string;
};

const hourMs = 3_600_000;
const bitsPerByte = 8;
/** A phone of the middle class, or an old computer, behind a usual connection. */
const slow = { processor: 4, bitsPerSecond: 10_000_000, latencyMs: 40 };

/** Each has a browser profile of its own: nothing is in its cache. */
export async function inConsoleTab(
  browser: Browser,
  { port, host, token, isSlow, watch }: TabOptions,
  use: (opened: ConsolePage) => Promise<void>,
): Promise<void> {
  await withConsole(browser, { port, host }, async (opened) => {
    const { page } = opened;
    if (token !== '') await useSession(page, { token, expiresAtUtc: new Date(Date.now() + hourMs).toISOString() });
    await page.addInitScript(watch);
    if (isSlow) await slowDown(page);
    await use(opened);
  });
}

async function slowDown(page: Page): Promise<void> {
  const { processor, bitsPerSecond, latencyMs } = slow;
  const bytesPerSecond = bitsPerSecond / bitsPerByte;
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: processor });
}
