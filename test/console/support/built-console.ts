// The console as `npm start` would build it, for tests that look at it or at its files.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noBrowser } from '../../support/browser.ts';
import type { Engine } from '../../support/service.ts';
import { serviceFixture, type ServiceSuite, type SuiteOptions } from '../../support/service-suite.ts';

const root = join(import.meta.dirname, '../../..');

export const consoleDist = join(root, 'console/dist');

/** Builds it if it is missing or older than its sources. */
export async function buildConsoleIfNeeded(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'scripts/build-console.ts', '--if-needed'], {
    cwd: root,
  });
}

/** A service of a demo for tests in a browser. It reads the console when it starts, and has none if nobody can look at it. */
export const consoleFixture = (engine: Engine = 'sqlite', options: SuiteOptions = {}): ServiceSuite =>
  serviceFixture(engine, {
    demo: true,
    manager: false,
    ...(noBrowser === false ? { prepare: buildConsoleIfNeeded } : {}),
    ...options,
  });
