// The campaign of faults: computers send lines while services, their database and the computers themselves are killed,
// answers are cut, lines are repeated, and clocks move. At the end each line must have arrived exactly once.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabases } from '../../../src/database/databases.ts';
import type { TenantDatabase } from '../../../src/database/tenant-database.ts';
import { createSeededRandom, type Random } from '../../../demo/random.ts';
import { parseStorage } from '../../../src/setting-parsers.ts';
import { requireCleanVerification } from '../../support/clean-verification.ts';
import { insertEnrolledComputer } from '../../support/enrolled-computers.ts';
import { insertTestBank, insertTestResident } from '../../support/factories.ts';
import { startServeProcess, type ServeProcess } from '../../support/portal-process.ts';
import { readArrivedLines, requireEachOnce } from './arrived-lines.ts';
import { CampaignComputer } from './campaign-computer.ts';
import { startCuttingProxy, type CuttingProxy } from './cutting-proxy.ts';

export type CampaignOptions = {
  readonly storageUrl: string;
  /** For the files of the run. */
  readonly folder: string;
  readonly computers: number;
  /** How many lines each computer sends on each stream. */
  readonly lineCount: number;
  readonly kills: number;
  /** How many services there are on the same database. */
  readonly services: number;
  readonly seed: string;
  /** Kills the database and starts it again; absent where it is a file. */
  restartDatabase?(): Promise<void>;
};

export type CampaignFigures = {
  readonly lines: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly faults: CuttingProxy['faults'];
  readonly answers: Readonly<Record<string, number>>;
  readonly booked: number;
  readonly held: number;
  readonly seconds: number;
};

const bankCount = 4;
const residentsPerBank = 5;
const deadline = { deadlineMs: 60_000 };
const longestPauseMs = 400;

/** Throws where a line is missing or doubled, or a verification finds something. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignFigures> {
  const { storageUrl, folder, seed } = options;
  const random = createSeededRandom(seed);
  const databases = openDatabases(parseStorage(storageUrl));
  await databases.migrate('sund');
  const keys = await insertObjects(databases.forTenant('sund'), options.computers);
  const settings = createSettings(storageUrl, folder);
  const startedAt = performance.now();
  const services = await Promise.all(Array.from({ length: options.services }, () => startServeProcess(settings)));
  const proxy = await startCuttingProxy({ random, cutShare: 0.2, pickTarget: () => random.pick(services).port });
  const computers = keys.map(({ key, bankId, id }) => createComputer({ ...options, random, proxy, key, bankId, id }));
  const kills = { service: 0, database: 0, computer: 0, memory: 0 };
  try {
    const sending = Promise.all(computers.flatMap((each) => [each.run('money'), each.run('samples')]));
    const killing = killThings({ options, random, services, settings, computers, kills });
    await Promise.all([sending, killing]);
  } finally {
    await Promise.all(services.map((each) => each.kill()));
    await proxy.close();
  }
  const arrived = await databases.forTenant('sund').read(deadline, (db) => readArrivedLines(db));
  await databases.close();
  requireEachOnce(computers, arrived);
  await requireCleanVerification(settings);
  return {
    lines: computers.length * options.lineCount * 2,
    kills,
    faults: proxy.faults,
    answers: countAnswers(computers),
    booked: arrived.booked.length,
    held: arrived.held.length,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
}

function createSettings(storageUrl: string, folder: string): Record<string, string> {
  const tenants = join(folder, 'tenants.json');
  const sund = { name: 'sund', displayName: 'Sund', country: 'DK', currency: 'DKK', timeZone: 'Europe/Copenhagen' };
  writeFileSync(tenants, JSON.stringify([sund]));
  return {
    PORTAL_STORAGE: storageUrl,
    PORTAL_TENANTS: tenants,
    PORTAL_RATE_LIMIT: 'off',
    // All computers have one address, and two streams each.
    PORTAL_CONNECTIONS: '10000,5000',
    PORTAL_LOG_LEVEL: 'error',
  };
}

type KeyedComputer = { readonly id: number; readonly bankId: number; readonly key: string };

/** Four banks with residents and their tags; each computer has a unit of its own. */
async function insertObjects(database: TenantDatabase, count: number): Promise<KeyedComputer[]> {
  const keyed: KeyedComputer[] = [];
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  for (let bank = 0; bank < bankCount; bank += 1) {
    const bankId = 1001 + bank;
    const ofBank = ids.filter((id) => id % bankCount === bank);
    if (ofBank.length === 0) continue;
    await database.write(deadline, async (db) => {
      await insertTestBank(db, { bankId, places: { 1: ofBank } });
      for (let resident = 0; resident < residentsPerBank; resident += 1) {
        await insertTestResident(db, 1001 + resident, { bankId });
        await db
          .insertInto('resident_keys')
          .values({
            bank_id: bankId,
            resident_id: 1001 + resident,
            key_number: tagOf(bankId, resident),
            kind: 'Tag',
            added_at: 0,
            held_number: tagOf(bankId, resident),
          })
          .execute();
      }
      for (const id of ofBank)
        keyed.push({ id, bankId, key: await insertEnrolledComputer(db, { bankId, computerId: id, units: [[1, id]] }) });
    });
  }
  return keyed;
}

const tagOf = (bankId: number, resident: number): string => `04A2${bankId}${resident}`;

type CreateComputerInput = CampaignOptions & KeyedComputer & { readonly random: Random; readonly proxy: CuttingProxy };

const createComputer = ({ id, bankId, key, proxy, random, seed, lineCount }: CreateComputerInput): CampaignComputer =>
  new CampaignComputer({
    id,
    key,
    unitKid: `sund-B${bankId}-L1-U${id}`,
    tags: Array.from({ length: residentsPerBank }, (_, resident) => tagOf(bankId, resident)),
    port: proxy.port,
    random: createSeededRandom(`${seed}/${id}/${random.int(0, 1000)}`),
    lineCount,
  });

type KilledThing = 'service' | 'database' | 'computer' | 'memory';

type KillInput = {
  readonly options: CampaignOptions;
  readonly random: Random;
  readonly services: ServeProcess[];
  readonly settings: Record<string, string>;
  readonly computers: readonly CampaignComputer[];
  readonly kills: Record<KilledThing, number>;
};

async function killThings({ options, random, services, settings, computers, kills }: KillInput): Promise<void> {
  const { restartDatabase } = options;
  const things = [
    'service',
    'memory',
    'computer',
    ...(restartDatabase === undefined ? [] : ['database' as const]),
  ] as const;
  for (let kill = 0; kill < options.kills; kill += 1) {
    await pause(random.int(0, longestPauseMs));
    random.pick(computers).moveClock();
    const what = things[kill % things.length] ?? 'service';
    kills[what] += 1;
    if (what === 'computer') random.pick(computers).kill();
    else if (what === 'memory') pickSending(computers, random).loseMemory();
    else if (what === 'database') await restartDatabase?.();
    else {
      const at = random.int(0, services.length - 1);
      await services[at]?.kill();
      services[at] = await startServeProcess(settings);
    }
  }
}

/** One that has lines to send again, while there is one. */
function pickSending(computers: readonly CampaignComputer[], random: Random): CampaignComputer {
  const sending = computers.filter(({ sendingCount }) => sendingCount === 2);
  return random.pick(sending.length === 0 ? computers : sending);
}

function countAnswers(computers: readonly CampaignComputer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { answers } of computers)
    for (const [answer, count] of answers) counts[answer] = (counts[answer] ?? 0) + count;
  return counts;
}
