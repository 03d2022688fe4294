// Opens reference computers for tests, on a disk of their own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openComputer, type Computer, type ComputerOptions } from '../../../equipment-client/computer.ts';

export function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-computer-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type TestComputerOptions = Partial<ComputerOptions> & Pick<ComputerOptions, 'file' | 'service'>;

/** It tries again at once, so that no test waits. */
export const openTestComputer = (options: TestComputerOptions): Computer =>
  openComputer({
    serial: 'GW-1',
    software: '1.0',
    device: { apply: () => ({ ok: true }) },
    random: () => 0,
    waitSeconds: 1,
    digestsEveryMs: 0,
    ...options,
  });
