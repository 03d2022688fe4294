// Simulates activity in demo databases while the service runs: residents use units and pay, online devices report their
// states, and queued records reach them within seconds. It never writes to a database without demo data.

import type { Logger } from 'pino';
import type { Databases } from '../../database/databases.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { toMs2000 } from '../../lib/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { refreshLastContacts } from '../places/last-contacts.ts';
import { createOperatorScope, type Scope } from '../../permissions/scope.ts';
import { deliverRecords, listDueRecords } from './device-gateway.ts';
import { readOwnership } from '../ownership.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { writeReportedStates } from './counter-reports.ts';
import { writeDocumentReports } from './document-reports.ts';
import { recordRandomPosting } from './random-postings.ts';

type SimulatorDependencies = {
  readonly databases: Databases;
  readonly tenants: readonly Tenant[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly intervalMs?: number;
};

const defaultIntervalMs = 5000;
const activityShare = 0.2;
const deadlineMs = 5000;

/** Each tenant's first run starts at once and records a purchase, so the last hour has one again after any pause. */
export function startSimulator(dependencies: SimulatorDependencies): { stop(): Promise<void> } {
  const { tenants, clock, intervalMs = defaultIntervalMs } = dependencies;
  const random = createSeededRandom(`simulator/${clock()}`);
  const repeated = tenants.map((tenant) =>
    repeatWithoutOverlap(createSimulatorRun(dependencies, tenant, random), intervalMs),
  );
  return {
    stop: async () => {
      await Promise.all(repeated.map((each) => each.stop()));
    },
  };
}

/** Skips the runs that would start before the previous one has ended. */
function repeatWithoutOverlap(turn: () => Promise<void>, intervalMs: number): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const start = (): void => {
    running ??= turn().finally(() => {
      running = undefined;
    });
  };
  start();
  const timer = setInterval(start, intervalMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

function createSimulatorRun(
  { databases, clock, log }: SimulatorDependencies,
  { name: tenant, timeZone }: Tenant,
  random: Random,
): () => Promise<void> {
  let isFirstRun = true;
  let failing = false;
  return async () => {
    const happens = isFirstRun || random.chance(activityShare);
    const clockMs2000 = (): number => toMs2000(clock());
    try {
      await runSimulation(databases.forTenant(tenant), {
        scope: createOperatorScope(tenant),
        timeZone,
        now: clockMs2000(),
        clock: clockMs2000,
        recordsActivity: happens,
        purchase: isFirstRun,
        random,
      });
      isFirstRun = false;
      failing = false;
    } catch (error) {
      // Logged once: storage that is not available stays so for many runs.
      if (!failing) log.error({ err: error, tenant }, 'the simulator could not record anything');
      failing = true;
    }
  };
}

type SimulatorRun = {
  readonly scope: Scope;
  readonly timeZone: string;
  /** MS2000. */
  readonly now: number;
  /** MS2000, compared with the times of postings that were recorded meanwhile. */
  readonly clock: () => number;
  /** Whether activity is recorded; otherwise only queued records are delivered. */
  readonly recordsActivity: boolean;
  readonly purchase: boolean;
  readonly random: Random;
};

async function runSimulation(
  database: TenantDatabase,
  { scope, timeZone, now, clock, recordsActivity, purchase, random }: SimulatorRun,
): Promise<void> {
  const [ownership, waiting] = await database.read({ deadlineMs }, (db) =>
    Promise.all([readOwnership(db), listDueRecords(db, now)]),
  );
  if (ownership !== 'demo' || (!recordsActivity && waiting.length === 0)) return;
  await database.write({ deadlineMs }, async (db) => {
    if (recordsActivity) {
      await refreshLastContacts(db, now);
      await writeReportedStates(db, now, random);
      await recordRandomPosting(db, scope, { now, clock, purchase, random });
      await writeDocumentReports(db, { scope, timeZone, now });
    }
    await deliverRecords(db, scope, waiting, now);
  });
}
