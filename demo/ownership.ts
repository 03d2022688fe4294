// Decides whether a database is empty, has demo data (finished or not), or belongs to somebody else.

import { randomUUID } from 'node:crypto';
import type { Db, LockableDb, WriteDb } from '../src/database/db.ts';
import { DuplicateError, StorageError } from '../src/database/errors.ts';
import type { TenantDatabase } from '../src/database/tenant-database.ts';

export const markerSetting = 'demoData';
const completeValue = 'complete';

/** Longer than any step takes. */
const deadlineMs = 300_000;

type Ownership = 'empty' | 'unfinished' | 'demo' | 'foreign';

/** Everything that the demo data depend on. A seeding is continued only with the same plan. */
export type SeedPlan = {
  /** The present of the demo data, MS2000. */
  readonly now: number;
  /** The number of postings of the first bank; null for the default. */
  readonly postings: number | null;
  readonly otherPostings: number | null;
  /** The version of the service that creates the data. */
  readonly version: string;
};

/**
 * A marker is a row of the tenant's settings that is written before anything else. The marker names the process that is
 * seeding and counts the finished steps. So only one process seeds at a time, and an interrupted seeding can be
 * continued.
 */
type SeedMarker = SeedPlan & {
  readonly owner: string;
  /** Counts the transactions, so that other processes see that the owner is alive. */
  readonly beats: number;
  /** The number of finished steps; -1 while the data of another plan are deleted. */
  readonly steps: number;
};

/** Another process has taken the seeding over. */
export class SeedTakenOverError extends Error {
  override name = 'SeedTakenOverError';
}

export async function readOwnership(db: Db): Promise<Ownership> {
  const value = await readMarkerValue(db);
  if (value !== undefined) return value === completeValue ? 'demo' : 'unfinished';
  const [bank, manager] = [
    await db.selectFrom('banks').select('bank_id').limit(1).executeTakeFirst(),
    await db.selectFrom('managers').select('manager_id').limit(1).executeTakeFirst(),
  ];
  return bank === undefined && manager === undefined ? 'empty' : 'foreign';
}

async function readMarkerValue(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('tenant_settings')
    .select('value')
    .where('name', '=', markerSetting)
    .executeTakeFirst();
  return row?.value;
}

/** The ownership, and the marker if there is one. The marker changes while another process is seeding. */
export function readMarker(database: TenantDatabase): Promise<{ ownership: Ownership; markerValue: string }> {
  return database.read({ deadlineMs }, async (db) => ({
    ownership: await readOwnership(db),
    markerValue: (await readMarkerValue(db)) ?? '',
  }));
}

/** Claims an empty database for this process; undefined if it is no longer empty. */
export function claimEmptyDatabase(database: TenantDatabase, plan: SeedPlan): Promise<SeedClaim | undefined> {
  const marker: SeedMarker = { ...plan, owner: randomUUID(), beats: 0, steps: 0 };
  return unlessOthersWrite(() =>
    database.write({ deadlineMs }, async (db) => {
      if ((await readOwnership(db)) !== 'empty') return undefined;
      await db
        .insertInto('tenant_settings')
        .values({ name: markerSetting, value: JSON.stringify(marker) })
        .execute();
      return new SeedClaim(database, marker);
    }),
  );
}

/** Takes over a database from a process that has ended; undefined if its marker has changed meanwhile. */
export function takeOverDatabase(
  database: TenantDatabase,
  plan: SeedPlan,
  markerValue: string,
): Promise<SeedClaim | undefined> {
  const before = parseMarker(markerValue);
  const continued = before !== undefined && canContinue(before, plan) ? before : { ...plan, beats: 0, steps: -1 };
  const marker: SeedMarker = { ...continued, owner: randomUUID() };
  return unlessOthersWrite(() =>
    database.write({ deadlineMs }, async (db) =>
      (await replaceMarker(db, markerValue, JSON.stringify(marker))) ? new SeedClaim(database, marker) : undefined,
    ),
  );
}

/** Undefined if another process has inserted the marker meanwhile or holds its lock, and so is seeding. */
async function unlessOthersWrite<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const isLocked = cause instanceof StorageError && cause.failure === 'rolled-back';
    if (isLocked || error instanceof DuplicateError) return undefined;
    throw error;
  }
}

/** The seeding of a database by this process. */
export class SeedClaim {
  readonly #database: TenantDatabase;
  #marker: SeedMarker;

  constructor(database: TenantDatabase, marker: SeedMarker) {
    this.#database = database;
    this.#marker = marker;
  }

  get plan(): SeedPlan {
    return this.#marker;
  }

  /** The number of finished steps; -1 while the data of another plan must be deleted. */
  get steps(): number {
    return this.#marker.steps;
  }

  read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#database.read({ deadlineMs }, work);
  }

  /** Runs `work` in a transaction. Throws SeedTakenOverError if another process has taken the seeding over. */
  write<T>(work: (db: LockableDb) => Promise<T>): Promise<T> {
    return this.#write({}, work);
  }

  /** Runs the work of the next step in a transaction, which also counts the step as done. */
  writeStep(work: (db: LockableDb) => Promise<void>): Promise<void> {
    return this.#write({ steps: this.#marker.steps + 1 }, work);
  }

  async complete(): Promise<void> {
    await this.#database.write({ deadlineMs }, (db) => requireReplaced(db, this.#marker, completeValue));
  }

  async #write<T>(change: Partial<SeedMarker>, work: (db: LockableDb) => Promise<T>): Promise<T> {
    const next = { ...this.#marker, ...change, beats: this.#marker.beats + 1 };
    const result = await this.#database.write({ deadlineMs }, async (db) => {
      await requireReplaced(db, this.#marker, JSON.stringify(next));
      return work(db);
    });
    this.#marker = next;
    return result;
  }
}

async function requireReplaced(db: WriteDb, marker: SeedMarker, value: string): Promise<void> {
  if (!(await replaceMarker(db, JSON.stringify(marker), value)))
    throw new SeedTakenOverError('another process creates the demo data');
}

/** Returns false if the value was different. Until the transaction ends, nobody else can replace it. */
async function replaceMarker(db: WriteDb, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tenant_settings')
    .set({ value: to })
    .where('name', '=', markerSetting)
    .where('value', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The present of a plan can be a day old: data that were begun yesterday can be finished today. */
const maxPlanAgeMs = 24 * 3600 * 1000;

const canContinue = (begun: SeedPlan, { now, postings, otherPostings, version }: SeedPlan): boolean =>
  begun.postings === postings &&
  begun.otherPostings === otherPostings &&
  begun.version === version &&
  Math.abs(now - begun.now) < maxPlanAgeMs;

/** Undefined if another version of the service wrote it. */
function parseMarker(value: string): SeedMarker | undefined {
  try {
    const marker = JSON.parse(value) as Partial<SeedMarker> | null;
    const { now, postings, version, beats, steps } = marker ?? {};
    const isComplete = [now, beats, steps].every(Number.isSafeInteger) && postings !== undefined;
    return isComplete && typeof version === 'string' ? (marker as SeedMarker) : undefined;
  } catch {
    return undefined;
  }
}
