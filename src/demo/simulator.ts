// Keeps demo data moving while the service runs: every now and then somebody uses a unit or pays, and the devices that are
// online are heard of and tell what they count; what was queued for them they learn within seconds. A database that is not
// a demo is only ever looked at.

import type { Logger } from 'pino';
import type { Databases } from '../database/databases.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import type { Tenant } from '../tenants.ts';
import { keepInContact } from './contacts.ts';
import { deliver, listDue } from './gateway.ts';
import { readOwnership } from './marker.ts';
import { seededRandom, type Random } from './random.ts';
import { reportStates } from './reports.ts';
import { recordSomething } from './simulated.ts';

export type SimulatorParts = {
  readonly databases: Databases;
  readonly tenants: readonly Tenant[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly intervalMs?: number;
};

const everyMs = 5000;
const shareOfTurns = 0.2;
const deadlineMs = 5000;

/** Each tenant's first turn comes at once and records something: after any pause the last hour has a purchase again. */
export function startSimulator(parts: SimulatorParts): { stop(): Promise<void> } {
  const { tenants, clock, intervalMs = everyMs } = parts;
  const random = seededRandom(`simulator/${clock()}`);
  const repeated = tenants.map((tenant) => repeat(turnOf(parts, tenant, random), intervalMs));
  return {
    stop: async () => {
      await Promise.all(repeated.map((each) => each.stop()));
    },
  };
}

/** A turn that takes longer than the interval lets those after it pass. */
function repeat(turn: () => Promise<void>, intervalMs: number): { stop(): Promise<void> } {
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

function turnOf(
  { databases, clock, log }: SimulatorParts,
  { name: tenant }: Tenant,
  random: Random,
): () => Promise<void> {
  let due = true;
  let failing = false;
  return async () => {
    const happens = due || random.chance(shareOfTurns);
    try {
      await play(databases.of(tenant), { now: toMs2000(clock()), happens, purchase: due, random });
      due = false;
      failing = false;
    } catch (error) {
      // Said once: a storage that is out of reach stays so for many turns.
      if (!failing) log.error({ err: error, tenant }, 'the simulator could not record anything');
      failing = true;
    }
  };
}

type Turn = {
  /** MS2000. */
  readonly now: number;
  /** Whether anybody does anything; else the devices alone are told what they have to learn. */
  readonly happens: boolean;
  readonly purchase: boolean;
  readonly random: Random;
};

async function play(database: TenantDatabase, { now, happens, purchase, random }: Turn): Promise<void> {
  const [ownership, waiting] = await database.read({ deadlineMs }, (db) =>
    Promise.all([readOwnership(db), listDue(db, now)]),
  );
  if (ownership !== 'demo' || (!happens && waiting.length === 0)) return;
  await database.write({ deadlineMs }, async (db) => {
    if (happens) {
      await keepInContact(db, now);
      await reportStates(db, now, random);
      await recordSomething(db, now, purchase, random);
    }
    await deliver(db, waiting, now);
  });
}
