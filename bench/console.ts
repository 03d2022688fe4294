// Measures the console in Chromium as its readers notice it: how soon a view is painted, on loopback and on a slow
// computer with a slow connection, how soon it reacts there to keys and clicks, and whether ten thousand rows of an
// account scroll smoothly.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { buildConsoleIfNeeded } from '../test/console/support/built-console.ts';
import { launchBrowser } from '../test/console/support/console-page.ts';
import { findProgram } from '../test/support/programs.ts';
import { slowFrames } from './support/console-frames.ts';
import { interact } from './support/console-interactions.ts';
import { largestPaint } from './support/console-paint.ts';
import type { ConsoleTarget } from './support/console-tab.ts';
import { startDemoService } from './support/demo-service.ts';
import { median, reportFigure, rounds } from './support/measure.ts';

const rowCount = 10_000;
/** A tenth more than 400, 1200 and 100: what is that close counts as met. */
const bounds = { paintMs: 440, slowPaintMs: 1320, interactionMs: 110, slowFrames: 0 };
const barePage = '<!doctype html><title>Bare</title><link rel="icon" href="data:,"><h1>Nothing but a heading</h1>';
const views: readonly (readonly [name: string, path: string, isLoggedIn: boolean])[] = [
  ['the login', '/login', false],
  ['the home screen', '/', true],
  ['the account', '/banks/sund-B1001/account', true],
];

export async function benchmarkConsole(): Promise<void> {
  if (findProgram('chromium') === undefined) {
    process.stdout.write('SKIP console: there is no Chromium on this machine\n');
    return;
  }
  // The service reads the build when it starts.
  await buildConsoleIfNeeded();
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const service = await startDemoService(`sqlite:${directory}`, rowCount);
  const browser = await launchBrowser();
  try {
    await reportFloor(browser, service.target(''));
    await measure(browser, service.target(''));
  } finally {
    await browser.close();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What no page can be faster than, now and on this machine. */
async function reportFloor(browser: Browser, target: ConsoleTarget): Promise<void> {
  const bare = createServer((_, response) => response.setHeader('content-type', 'text/html').end(barePage));
  await once(bare.listen(0, '127.0.0.1'), 'listening');
  const { port } = bare.address() as AddressInfo;
  for (const isSlow of [false, true]) {
    const times = await repeat(() => largestPaint(browser, { ...target, port, token: '', path: '/', isSlow }));
    process.stdout.write(
      `     Largest paint of a bare page${isSlow ? ', slow' : ''}, ms: ${median(times).toFixed(0)}\n`,
    );
  }
  bare.closeAllConnections();
  bare.close();
}

async function measure(browser: Browser, target: ConsoleTarget): Promise<void> {
  for (const [name, path, isLoggedIn] of views) {
    const token = isLoggedIn ? target.token : '';
    for (const isSlow of [false, true]) {
      const times = await repeat(() => largestPaint(browser, { ...target, token, path, isSlow }));
      const most = isSlow ? bounds.slowPaintMs : bounds.paintMs;
      reportFigure(`Largest paint of ${name}${isSlow ? ', slow' : ''}, ms`, median(times), { most });
    }
  }
  const times = await repeat(() => interact(browser, target));
  reportFigure('Interaction to next paint, slow, 98th percentile, ms', median(times), { most: bounds.interactionMs });
  const frames = await repeat((round) => slowFrames(browser, { ...target, rowCount: rowCount / rounds, round }));
  reportFigure(`Frames over 50 ms while ${rowCount} rows scroll`, median(frames), { most: bounds.slowFrames });
}

async function repeat(measureRound: (round: number) => Promise<number>): Promise<number[]> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await measureRound(round));
  return figures;
}
