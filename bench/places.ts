// Overviews of a bank of many locations and units, each against what it has to ask of the database; and a location's
// against the same location in a bank of a tenth.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { host, serveBank, type Service } from './support/demo-bank.ts';
import { bigBank, fillPlaces, unitsOfFirst } from './support/fill-places.ts';
import { compare, tell } from './support/measure.ts';
import { startNode } from './support/processes.ts';

const bankPath = `/api/v1/banks/sund-B${bigBank}`;
const locationPath = `/api/v1/locations/sund-B${bigBank}-L1`;
const unitsPath = `${locationPath}/units?limit=${unitsOfFirst}`;
const locations = 1000;
const units = 20_000;

export async function places(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const full = join(directory, 'full');
  try {
    const service = await serve(full, locations, units);
    const size = `${locations} locations and ${units} units`;
    await against(service, full, 'banks', '/api/v1/banks/icons', `GetBankIcons over ${size}`, 0.3);
    await against(service, full, 'locations', `${bankPath}/locations`, `GetBankLocations of ${size}`, 0.3);
    await against(service, full, 'units', unitsPath, `GetLocationUnits of ${unitsOfFirst} units`, 0.4);
    const tenth = await serve(join(directory, 'tenth'), locations / 10, units / 10);
    for (const path of [unitsPath, `${locationPath}/unit-icons?limit=${unitsOfFirst}`]) {
      const name = `Cost of a location’s ${path.replace(/.*\/|\?.*/g, '')} in ten times the bank`;
      tell(name, await compare(tenth.target(path), service.target(path)), { most: 1.1 });
    }
    await Promise.all([service.stop(), tenth.stop()]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const serve = (directory: string, ofLocations: number, ofUnits: number): Promise<Service> =>
  serveBank(`sqlite:${directory}`, 1000, () => fillPlaces(directory, ofLocations, ofUnits));

async function against(
  service: Service,
  directory: string,
  kind: string,
  path: string,
  name: string,
  least: number,
): Promise<void> {
  const floor = await startNode('bench/support/places-floor.ts', [kind, directory], {});
  const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
  tell(`${name}, against its query alone`, await compare(service.target(path), bare), { least });
  await floor.stop();
}
