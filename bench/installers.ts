// Measures the lists of a tenant with many installers, each against only its query.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { host, startDemoService } from './support/demo-service.ts';
import { insertManyInstallers, installerCount } from './support/installers-data.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { startNode } from './support/processes.ts';

const path = '/api/v1/installers';
const size = installerCount.toLocaleString('en');

const comparisons: readonly (readonly [kind: string, name: string, path: string])[] = [
  ['first', 'first page', path],
  ['search', 'by a word', `${path}?filter=Zachariassen`],
  ['deepest', 'deepest page', `${path}?offset=${installerCount - 60}`],
];

export async function benchmarkInstallers(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000, () => insertManyInstallers(directory));
    for (const [kind, name, target] of comparisons) {
      const floor = await startNode('bench/support/installers-floor.ts', [kind, join(directory, 'sund.sqlite')], {});
      const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
      const compared = await compareTargets(service.target(target), bare);
      reportComparison(`GetInstallers of ${size}, ${name}, against only its query`, compared, { least: 0.22 });
      await floor.stop();
    }
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
