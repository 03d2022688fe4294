// Reading a unit and writing its settings, on SQLite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabases } from '../src/database/databases.ts';
import { host, serveBank, type Service } from './support/demo-bank.ts';
import { compare, tell, tellFigure } from './support/measure.ts';
import { startNode } from './support/processes.ts';
import { writesPerSecond } from './support/setting-writers.ts';

const writers = 8;
const unit = '/api/v1/units/sund-B1001-L1-U';

export async function settings(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await serveBank(`sqlite:${directory}`, 1000, () => forgetNotes(directory));
    const file = join(directory, 'sund.sqlite');
    await against(service, 'GetUnitOverview', `${unit}1`, [file, 'overview']);
    await against(service, 'GetUnitGroup of how a washer works', `${unit}1/groups/Operation`, [file, 'group']);
    const targets = Array.from({ length: writers }, (_, at) => service.target(`${unit}${at + 1}/settings/Note`));
    tellFigure(`SetUnitSetting a second from ${writers} connections`, await writesPerSecond(targets, 5), {
      least: 300,
    });
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What the writers write was never given before. */
async function forgetNotes(directory: string): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  await databases.of('sund').write({ deadlineMs: 60_000 }, async (db) => {
    await db.deleteFrom('unit_settings').where('name', '=', 'Note').execute();
  });
  await databases.close();
}

async function against(service: Service, name: string, path: string, floor: readonly string[]): Promise<void> {
  const raw = await startNode('bench/support/settings-floor.ts', floor, {});
  const target = { port: Number(raw.line['port']), path: '/', host, token: '' };
  tell(`${name}, against the raw queries`, await compare(service.target(path), target), { least: 0.2 });
  await raw.stop();
}
