// Measures lists of ten thousand managers, each against only its query, and the check of a manager's rights.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { permissions, tabs } from '../src/permissions/matrix.ts';
import { findMissingRight, type Needs, type Rights } from '../src/permissions/needs.ts';
import { host, startDemoService, type BenchService } from './support/demo-service.ts';
import { insertManyManagers, managerCount } from './support/managers-data.ts';
import { compareTargets, reportComparison, reportFigure } from './support/measure.ts';
import { startNode } from './support/processes.ts';

const managersPath = '/api/v1/managers';
const size = managerCount.toLocaleString('en');

const comparisons: readonly (readonly [kind: string, name: string, path: string])[] = [
  ['first', `GetManagers of ${size}, first page, against only its query`, managersPath],
  ['search', `GetManagers of ${size}, by a word, against only its query`, `${managersPath}?filter=Zachariassen`],
  [
    'deepest',
    `GetManagers of ${size}, deepest page, against only its query`,
    `${managersPath}?offset=${managerCount - 60}`,
  ],
];

export async function benchmarkManagers(): Promise<void> {
  measurePermissionCheck();
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000, () => insertManyManagers(directory));
    for (const comparison of comparisons) await compareWithFloor(service, directory, comparison);
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compareWithFloor(
  service: BenchService,
  directory: string,
  [kind, name, path]: (typeof comparisons)[number],
): Promise<void> {
  const floor = await startNode('bench/support/managers-floor.ts', [kind, join(directory, 'sund.sqlite')], {});
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  reportComparison(name, await compareTargets(service.target(path), bare), { least: 0.25 });
  await floor.stop();
}

const checks = 2_000_000;

/** The last of the Tabs, every permission and a grant for a location: everything that a check can read. */
function measurePermissionCheck(): void {
  const needs: Needs = { tabs: tabs.slice(-1), permissions, grantLevel: 'location' };
  const rights: Rights = {
    tabs: new Set(tabs),
    permissions: new Set(permissions),
    grants: { tenantWide: false, banks: new Set(), locations: new Map([[1001, new Set([1])]]) },
  };
  let refused = 0;
  const startedAt = performance.now();
  for (let at = 0; at < checks; at += 1) if (findMissingRight(needs, rights) !== undefined) refused += 1;
  const elapsedMs = performance.now() - startedAt;
  if (refused > 0) throw new Error('a manager with all rights was refused');
  reportFigure('microseconds of a check of rights', (elapsedMs * 1000) / checks, { most: 5 });
}
