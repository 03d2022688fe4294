// Measures writes of addresses on SQLite, without waiting for a geocoding provider.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from './support/demo-service.ts';
import { reportFigure } from './support/measure.ts';
import { fetchText } from './support/request.ts';
import { measureWritesPerSecond } from './support/revision-writers.ts';

const writers = 8;

/** Complete addresses, so that each write has its two transactions. */
const createBody = (count: number): object => ({ address: `Elm Lane ${count}`, zip: '2100 Byen' });

export async function benchmarkAddresses(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000);
    const targets = Array.from({ length: writers }, (_, at) =>
      service.target(`/api/v1/addresses/sund-B1001-L1-U${at + 1}`),
    );
    const firstRevision = async (target: (typeof targets)[number]): Promise<string> =>
      (JSON.parse(await fetchText(target)) as { revision: string }).revision;
    const rate = await measureWritesPerSecond(targets, 5, { createBody, firstRevision });
    reportFigure(`UpdateObjectAddress a second from ${writers} connections`, rate, { least: 300 });
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
