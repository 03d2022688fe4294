// Measures the time from the command to the ready line: all six tenants with demo data, first in an empty folder, then
// with the existing databases.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPortal } from './support/processes.ts';

export async function benchmarkStart(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const environment = {
    PORTAL_STORAGE: `sqlite:${directory}`,
    PORTAL_PORT: '0',
    PORTAL_METRICS_PORT: '0',
    PORTAL_SIMULATOR: 'off',
  };
  const measureStart = async (name: string, boundSeconds: number): Promise<void> => {
    const began = performance.now();
    const service = await startPortal(environment);
    const seconds = (performance.now() - began) / 1000;
    const kept = seconds < boundSeconds;
    process.stdout.write(`${kept ? 'ok  ' : 'MISS'} ${name}: ${seconds.toFixed(2)} s (below ${boundSeconds})\n`);
    if (!kept) process.exitCode = 1;
    await service.stop();
  };
  try {
    await measureStart('start from an empty folder with demo data', 10);
    await measureStart('start from existing data', 1.5);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
