// Measures the tenant status of many units against only its two queries.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { host, startDemoService } from './support/demo-service.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { startNode } from './support/processes.ts';
import { insertStatusUnits, unitCount } from './support/tenant-status-data.ts';

export async function benchmarkTenantStatus(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000, () => insertStatusUnits(directory));
    const floor = await startNode('bench/support/tenant-status-floor.ts', [join(directory, 'sund.sqlite')], {});
    const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
    const target = service.target('/api/v1/tenant/status');
    const size = `${unitCount.toLocaleString('en')} units`;
    for (const [clients, connections] of [
      ['one client', 1],
      ['32 clients, who share readings', 32],
    ] as const) {
      const compared = await compareTargets(target, bare, connections);
      const name = `GetTenantStatus over ${size} by ${clients}, against only its two queries`;
      reportComparison(name, compared, { least: 0.5 });
    }
    await floor.stop();
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
