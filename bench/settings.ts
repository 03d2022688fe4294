// Measures reads of a unit and writes of its settings, on SQLite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteNotes } from './support/delete-notes.ts';
import { host, startDemoService, type BenchService } from './support/demo-service.ts';
import { compareTargets, reportComparison, reportFigure } from './support/measure.ts';
import { startNode } from './support/processes.ts';
import { measureWritesPerSecond } from './support/revision-writers.ts';

const writers = 8;
const unit = '/api/v1/units/sund-B1001-L1-U';

export async function benchmarkSettings(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000, () => deleteNotes(directory));
    const file = join(directory, 'sund.sqlite');
    await compareWithFloor(service, 'GetUnitOverview', `${unit}1`, [file, 'overview']);
    await compareWithFloor(service, 'GetUnitGroup of how a washer works', `${unit}1/groups/Operation`, [file, 'group']);
    const targets = Array.from({ length: writers }, (_, at) => service.target(`${unit}${at + 1}/settings/Note`));
    reportFigure(`SetUnitSetting a second from ${writers} connections`, await measureWritesPerSecond(targets, 5), {
      least: 300,
    });
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compareWithFloor(
  service: BenchService,
  name: string,
  path: string,
  floor: readonly string[],
): Promise<void> {
  const raw = await startNode('bench/support/settings-floor.ts', floor, {});
  const target = { port: Number(raw.line['port']), path: '/', host, token: '' };
  reportComparison(`${name}, against the raw queries`, await compareTargets(service.target(path), target), {
    least: 0.2,
  });
  await raw.stop();
}
