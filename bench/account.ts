// Measures GetBankAccount over a million postings against a bare server that runs only the page query, and against
// itself: over a year, over ten times the postings, at a deep offset.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMariaDb } from '../test/support/mariadb-server.ts';
import { host, startDemoService, type BenchService } from './support/demo-service.ts';
import { compareTargets, reportComparison, reportFigure } from './support/measure.ts';
import { startNode, type RunningProcess } from './support/processes.ts';
import { accountPath } from './support/time-window.ts';

export async function benchmarkAccountOnSqlite(postings: number): Promise<void> {
  const folder = (name: string): string => join(directory, name);
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${folder('full')}`, postings);
    const tenth = await startDemoService(`sqlite:${folder('tenth')}`, postings / 10);
    const floor = await startNode('bench/support/floor.ts', ['sqlite', join(folder('full'), 'sund.sqlite')], {});
    await reportAccount('SQLite', postings, service, tenth, floor);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function benchmarkAccountOnMariaDb(postings: number): Promise<void> {
  const server = await startMariaDb({ bufferPoolMegabytes: 2048 });
  if (server === undefined) {
    process.stdout.write('SKIP MariaDB: there is no server on this machine\n');
    return;
  }
  try {
    const service = await startDemoService(server.url('full_'), postings);
    const tenth = await startDemoService(server.url('tenth_'), postings / 10);
    const floor = await startNode('bench/support/floor.ts', ['mysql', server.url('full_sund')], {});
    await reportAccount('MariaDB', postings, service, tenth, floor);
  } finally {
    await server.stop();
  }
}

async function reportAccount(
  engine: string,
  postings: number,
  service: BenchService,
  tenth: BenchService,
  floor: RunningProcess,
): Promise<void> {
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  const month = service.target(accountPath(30));
  const year = service.target(accountPath(367));
  const deep = service.target(accountPath(367, 100_000));
  reportComparison(`${engine}: account of 30 days against the bare page`, await compareTargets(month, bare), {
    least: 0.2,
  });
  reportComparison(`${engine}: cost of 367 days over 30 days`, await compareTargets(month, year), { most: 1.5 });
  reportComparison(
    `${engine}: cost of ${postings} postings over a tenth`,
    await compareTargets(tenth.target(accountPath(30)), month),
    {
      most: 1.2,
    },
  );
  reportComparison(`${engine}: cost of offset 100,000 over offset 0`, await compareTargets(year, deep), { most: 5 });
  reportFigure(`${engine}: resident memory after load, MB`, service.residentMegabytes(), { most: 300 });
  await Promise.all([service.stop(), tenth.stop(), floor.stop()]);
}
