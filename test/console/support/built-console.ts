// The console as `npm start` would build it, for tests that look at it or at its files.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');

export const consoleDist = join(root, 'console/dist');

/** Builds it if it is missing or older than its sources, unless nobody can look at it. */
export async function buildConsoleIfNeeded({ isLookedAt = true } = {}): Promise<void> {
  if (!isLookedAt) return;
  await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'scripts/build-console.ts', '--if-needed'], {
    cwd: root,
  });
}
