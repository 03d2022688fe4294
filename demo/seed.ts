// Fills an empty, migrated database with a tenant's demo data, which are the same every time relative to the present.
// Each step is one transaction of bounded size, so that an interrupted seeding continues where it ended.

import { setTimeout as pause } from 'node:timers/promises';
import type { TenantDatabase } from '../src/database/tenant-database.ts';
import type { PasswordHasher } from '../src/features/passwords/process/password-hasher.ts';
import type { Tenant } from '../src/tenants.ts';
import { version } from '../src/version.ts';
import { createBookingStep } from './bookings/write-bookings.ts';
import { monthsUpTo } from './calendar.ts';
import { clearUnfinishedData } from './clear-unfinished-seed.ts';
import { writeMasterData } from './master-data.ts';
import { listLedgerSteps } from './postings/write-ledger.ts';
import { writeInstallers } from './installers.ts';
import { createDemoManagers, hashDemoPassword } from './managers.ts';
import {
  claimEmptyDatabase,
  readMarker,
  SeedTakenOverError,
  takeOverDatabase,
  type SeedClaim,
  type SeedPlan,
} from './ownership.ts';
import { createDemoBanks } from './places/places.ts';
import { createLedgerScenario } from './postings/ledger-scenario.ts';
import { createDemoResidents } from './residents.ts';
import type { SeedStep } from './seed-step.ts';
import { writeServiceProfiles } from './services.ts';
import { writeOpeningsAndPolicies } from './units/setup-settings.ts';
import { writeUnitHistory } from './units/write-history.ts';

export type SeedOptions = {
  /** MS2000. */
  readonly now: number;
  readonly passwords: PasswordHasher;
  /** The number of postings of the first bank, instead of the default. */
  readonly postings?: number;
  /** The number of postings of each other bank. */
  readonly otherPostings?: number | undefined;
  /** How long another seeding process can make no progress before this one takes over. */
  readonly takeOverAfterMs?: number;
  readonly listener?: SeedListener;
  /** Ends the seeding after the step that it is doing; another start goes on. */
  readonly signal?: AbortSignal | undefined;
};

export type SeedListener = {
  /** Another process is seeding the database, or was interrupted. */
  onWaiting(): void;
  /** `postings` of `total` postings are written. */
  onProgress(postings: number, total: number): void;
};

export type SeedOutcome = 'seeded' | 'already-demo' | 'foreign';

const defaultTakeOverAfterMs = 10_000;
const pollIntervalMs = 250;

/** Writes only into an empty database. Of several processes one seeds, and the others wait until it has finished. */
export async function seedTenant(database: TenantDatabase, tenant: Tenant, options: SeedOptions): Promise<SeedOutcome> {
  const { now, postings = null, otherPostings = null } = options;
  const plan: SeedPlan = { now, postings, otherPostings, version };
  for (;;) {
    const claimed = await claimWhenFree(database, plan, options);
    if (claimed === 'foreign') return 'foreign';
    if (claimed === 'demo') return 'already-demo';
    try {
      await runSteps(claimed, tenant, options);
      return 'seeded';
    } catch (error) {
      if (!(error instanceof SeedTakenOverError)) throw error;
    }
  }
}

/** Claims the database as soon as no other process is seeding it; returns the ownership if it cannot be claimed. */
async function claimWhenFree(
  database: TenantDatabase,
  plan: SeedPlan,
  { takeOverAfterMs = defaultTakeOverAfterMs, listener, signal }: SeedOptions,
): Promise<SeedClaim | 'foreign' | 'demo'> {
  let seenValue: string | undefined;
  let seenAtMs = 0;
  let isWaiting = false;
  for (;;) {
    signal?.throwIfAborted();
    const { ownership, markerValue } = await readMarker(database);
    if (ownership === 'foreign' || ownership === 'demo') return ownership;
    if (ownership === 'unfinished' && !isWaiting) {
      isWaiting = true;
      listener?.onWaiting();
    }
    if (markerValue !== seenValue) [seenValue, seenAtMs] = [markerValue, performance.now()];
    const claim =
      ownership === 'empty'
        ? await claimEmptyDatabase(database, plan)
        : performance.now() - seenAtMs >= takeOverAfterMs
          ? await takeOverDatabase(database, plan, markerValue)
          : undefined;
    if (claim !== undefined) return claim;
    await pause(pollIntervalMs);
  }
}

async function runSteps(claim: SeedClaim, tenant: Tenant, options: SeedOptions): Promise<void> {
  const { passwords, listener, signal } = options;
  if (claim.steps < 0) await clearUnfinishedData(claim);
  const managers = createDemoManagers(tenant, await hashDemoPassword(passwords));
  const { steps, total } = listSteps(tenant, claim.plan, managers);
  let index = 0;
  let written = 0;
  for (const step of steps) {
    signal?.throwIfAborted();
    written += step.postings;
    // Finished steps are generated again, because they advance the random numbers, but they do not run.
    if (index >= claim.steps) await step.run(claim);
    index += 1;
    listener?.onProgress(written, total);
  }
  await claim.complete();
}

function listSteps(
  tenant: Tenant,
  { now, postings, otherPostings }: SeedPlan,
  managers: ReturnType<typeof createDemoManagers>,
): { readonly steps: Iterable<SeedStep>; readonly total: number } {
  const communities = createDemoBanks(now).map((bank) => ({ bank, residents: createDemoResidents(bank, tenant, now) }));
  const totals = communities.map(({ bank }, index) => (index === 0 ? postings : otherPostings) ?? bank.postings);
  const periods = monthsUpTo(tenant.timeZone, now);
  const plainStep = (work: Parameters<SeedClaim['writeStep']>[0]): SeedStep => ({
    postings: 0,
    run: (claim) => claim.writeStep(work),
  });
  const generate = function* (): Generator<SeedStep> {
    yield plainStep((db) => writeMasterData(db, tenant, communities, managers));
    const banks = communities.map(({ bank }) => bank);
    yield plainStep((db) => writeServiceProfiles(db, now));
    yield plainStep((db) => writeInstallers(db, banks, now));
    yield plainStep((db) => writeOpeningsAndPolicies(db, tenant, communities, now));
    yield plainStep((db) => writeUnitHistory(db, tenant, communities, now));
    for (const [index, community] of communities.entries()) {
      yield* listLedgerSteps(createLedgerScenario(tenant, community, periods), totals[index] ?? 0);
      yield createBookingStep(tenant, community, now);
    }
  };
  return { steps: generate(), total: totals.reduce((sum, each) => sum + each, 0) };
}
