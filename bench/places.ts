// Measures overviews of a bank with many locations and units, each against only its queries; and a location's overview
// against the same location in a bank of a tenth of the size.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { host, startDemoService, type BenchService } from './support/demo-service.ts';
import { largeBankId, insertPlaces, unitsOfFirstLocation } from './support/places-data.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { startNode } from './support/processes.ts';

const bankPath = `/api/v1/banks/sund-B${largeBankId}`;
const locationPath = `/api/v1/locations/sund-B${largeBankId}-L1`;
const unitsPath = `${locationPath}/units?limit=${unitsOfFirstLocation}`;
const locations = 1000;
const units = 20_000;

export async function benchmarkPlaces(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const full = join(directory, 'full');
  try {
    const service = await servePlaces(full, locations, units);
    const size = `${locations} locations and ${units} units`;
    await compareWithFloor(service, full, 'banks', '/api/v1/banks/icons', `GetBankIcons over ${size}`, 0.3);
    await compareWithFloor(service, full, 'locations', `${bankPath}/locations`, `GetBankLocations of ${size}`, 0.3);
    await compareWithFloor(service, full, 'units', unitsPath, `GetLocationUnits of ${unitsOfFirstLocation} units`, 0.4);
    const tenth = await servePlaces(join(directory, 'tenth'), locations / 10, units / 10);
    for (const path of [unitsPath, `${locationPath}/unit-icons?limit=${unitsOfFirstLocation}`]) {
      const name = `Cost of a location’s ${path.replace(/.*\/|\?.*/g, '')} in ten times the bank`;
      reportComparison(name, await compareTargets(tenth.target(path), service.target(path)), { most: 1.1 });
    }
    await Promise.all([service.stop(), tenth.stop()]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const servePlaces = (directory: string, ofLocations: number, ofUnits: number): Promise<BenchService> =>
  startDemoService(`sqlite:${directory}`, 1000, () => insertPlaces(directory, ofLocations, ofUnits));

async function compareWithFloor(
  service: BenchService,
  directory: string,
  kind: string,
  path: string,
  name: string,
  least: number,
): Promise<void> {
  const floor = await startNode('bench/support/places-floor.ts', [kind, join(directory, 'sund.sqlite')], {});
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  reportComparison(`${name}, against only its query`, await compareTargets(service.target(path), bare), { least });
  await floor.stop();
}
