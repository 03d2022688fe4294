// Measures the time from the command to the ready line, and until all six tenants have demo data: first in an empty
// folder, where the first tenant is served while the others are filled, then with the existing databases.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPortal } from './support/processes.ts';

export async function benchmarkStart(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const environment = {
    PORTAL_STORAGE: `sqlite:${directory}`,
    PORTAL_PORT: '0',
    PORTAL_METRICS_PORT: '0',
    PORTAL_SIMULATOR: 'off',
  };
  const measureStart = async (
    name: string,
    bounds: { readonly first: number; readonly all: number },
  ): Promise<void> => {
    const began = performance.now();
    const report = (what: string, boundSeconds: number): void => {
      const seconds = (performance.now() - began) / 1000;
      const kept = seconds < boundSeconds;
      process.stdout.write(
        `${kept ? 'ok  ' : 'MISS'} ${name}, ${what}: ${seconds.toFixed(2)} s (below ${boundSeconds})\n`,
      );
      if (!kept) process.exitCode = 1;
    };
    const service = await startPortal(environment);
    report('ready', bounds.first);
    while ((await fetch(`${String(service.line['url'])}/readyz`)).status !== 200) await pause(50);
    report('all tenants', bounds.all);
    await service.stop();
  };
  try {
    await measureStart('start from an empty folder with demo data', { first: 8, all: 20 });
    await measureStart('start from existing data', { first: 1.5, all: 2 });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
