// `demo`: fills empty databases with demo data, and does not change any other.

import type { Config } from '../../config.ts';
import { openDatabases } from '../../database/databases.ts';
import { formatFailedCheck, type FailedCheck } from '../../database/checks/diagnosis.ts';
import { seedTenant, type SeedListener, type SeedOutcome } from '../../../demo/seed.ts';
import { createPasswordHasher } from '../../features/passwords/process/password-hasher.ts';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';

type DemoOptions = { readonly postings?: number; readonly tenant?: string[] };

const outcomeTexts: Record<SeedOutcome, string> = {
  seeded: 'demo data created',
  'already-demo': 'already has demo data',
  foreign: 'has other data and was not changed',
};

export async function createDemoData(config: Config, { postings, tenant }: DemoOptions): Promise<void> {
  const tenants = selectTenants(config, tenant);
  const failures: string[] = [];
  await seedTenants(
    config,
    tenants,
    { now: toMs2000(Date.now()), ...(postings === undefined ? {} : { postings }) },
    {
      onSeeded: (name, outcome) => process.stdout.write(`${name}: ${outcomeTexts[outcome]}\n`),
      onFailed: (failed) => failures.push(formatFailedCheck(failed)),
      onWaiting: (name) =>
        process.stderr.write(`${name}: another process creates the demo data, or was ended while it did: waiting\n`),
      onProgress: (name, written, total) => process.stderr.write(`${name}: ${written} of ${total} postings\n`),
    },
  );
  if (failures.length > 0) throw new CommandError(failures.join('; '), 1);
}

type SeedTenantsInput = {
  readonly now: number;
  readonly postings?: number;
  readonly signal?: AbortSignal | undefined;
};

type SeedTenantsListener = {
  onSeeded(tenant: string, outcome: SeedOutcome): void;
  /** The tenant's database cannot be used. */
  onFailed(failed: FailedCheck): void;
  onWaiting(tenant: string): void;
  /** Reports progress every few seconds. */
  onProgress(tenant: string, written: number, total: number): void;
};

const progressIntervalMs = 5000;

// Two tenants at a time use the processor fully; more would only need more memory.
const maxConcurrentSeeds = 2;

/** Migrates and seeds each tenant over connections of its own, so that the memory of seeding is freed with them. */
export async function seedTenants(
  { storage }: Config,
  tenants: readonly Tenant[],
  options: SeedTenantsInput,
  listener: SeedTenantsListener,
): Promise<void> {
  const passwords = createPasswordHasher();
  const seedOne = async (tenant: Tenant): Promise<void> => {
    options.signal?.throwIfAborted();
    const databases = openDatabases(storage);
    try {
      await databases.migrate(tenant.name);
      const database = databases.forTenant(tenant.name);
      const seedOptions = { ...options, passwords, listener: toSeedListener(tenant.name, listener) };
      listener.onSeeded(tenant.name, await seedTenant(database, tenant, seedOptions));
    } catch (error) {
      const failed = databases.diagnose(tenant.name, error);
      if (failed === undefined) throw error;
      listener.onFailed(failed);
    } finally {
      await databases.close();
    }
  };
  const queue = new FairQueue({ maxConcurrent: maxConcurrentSeeds });
  await Promise.all(tenants.map((tenant) => queue.run(() => seedOne(tenant))));
}

function toSeedListener(tenant: string, { onWaiting, onProgress }: SeedTenantsListener): SeedListener {
  let shownAtMs = performance.now();
  return {
    onWaiting: () => onWaiting(tenant),
    onProgress: (written, total) => {
      if (performance.now() - shownAtMs < progressIntervalMs) return;
      shownAtMs = performance.now();
      onProgress(tenant, written, total);
    },
  };
}
