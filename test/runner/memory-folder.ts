// Gives the tests a folder for temporary files in memory: thousands of small databases wait for nothing there. Where memory
// is short, and elsewhere than on Linux, they stay where temporary files usually are.
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { startWatchdog, type Watchdog } from '../support/programs.ts';

const memoryDisk = '/dev/shm';
/** A full run writes about half of this. */
const neededBytes = 8 * 2 ** 30;

/** Has this process, and those it starts, use such a folder as TMPDIR; undefined where there is none. */
export function useMemoryFolder(): Watchdog | undefined {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(memoryDisk, 'portal-tests-'));
  // As /tmp: servers of tests run as users of their own.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  // The folder must not outlive a run that is killed: it takes memory.
  return startWatchdog(folder);
}

function hasRoom(): boolean {
  try {
    accessSync(memoryDisk, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryDisk);
    return Math.min(bavail * bsize, freemem()) > neededBytes;
  } catch {
    return false;
  }
}
