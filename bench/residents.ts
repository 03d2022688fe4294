// Measures the lists of a full bank, each against only its query.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareExport } from './support/compare-export.ts';
import { host, startDemoService, type BenchService } from './support/demo-service.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { startNode } from './support/processes.ts';
import { exportedBank, fullBank, insertResidentsOfFullBank } from './support/residents-data.ts';

const usersPath = ({ bankId }: { readonly bankId: number }): string => `/api/v1/banks/sund-B${bankId}/users`;
const size = fullBank.residents.toLocaleString('en');

const comparisons: readonly (readonly [kind: string, name: string, path: string, least: number])[] = [
  ['first', `GetBankUsers of ${size}, first page, against only its query`, usersPath(fullBank), 0.22],
  [
    'search',
    `GetBankUsers of ${size}, by a word, against only its query`,
    `${usersPath(fullBank)}?filter=Zachariassen`,
    0.3,
  ],
  [
    'deepest',
    `GetBankUsers of ${size}, deepest page, against only its query`,
    `${usersPath(fullBank)}?offset=${fullBank.residents - 60}`,
    0.3,
  ],
];

const exportPath = `${usersPath(exportedBank)}/export.csv`;

export async function benchmarkResidents(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000, () => insertResidentsOfFullBank(directory));
    for (const comparison of comparisons) await compareWithFloor(service, directory, comparison);
    await compareExport(
      `CSV export of ${exportedBank.residents.toLocaleString('en')} residents`,
      service.target(exportPath),
      { downloads: 101 },
    );
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compareWithFloor(
  service: BenchService,
  directory: string,
  [kind, name, path, least]: (typeof comparisons)[number],
): Promise<void> {
  const floor = await startNode('bench/support/residents-floor.ts', [kind, join(directory, 'sund.sqlite')], {});
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  reportComparison(name, await compareTargets(service.target(path), bare), { least });
  await floor.stop();
}
