// Measures public statistics that are cached for a minute, against a bare server that answers the same bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from './support/demo-service.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { startSameBytesFloor } from './support/same-bytes.ts';

const operations = [
  ['GetPublicPurchases', 'purchases'],
  ['GetPublicPurchaseMap', 'purchase-map'],
  ['GetPublicActiveUsers', 'active-users'],
] as const;

export async function benchmarkStatistics(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000);
    for (const [operation, name] of operations) {
      const target = { ...service.target(`/api/v1/public/statistics/${name}`), token: '' };
      const floor = await startSameBytesFloor(target);
      const compared = await compareTargets(target, floor.target);
      reportComparison(`${operation} against bare node:http`, compared, { least: 0.8 });
      await floor.stop();
    }
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
