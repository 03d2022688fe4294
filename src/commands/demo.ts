// `demo`: fills empty databases with demo data, and does not change any other.

import PQueue from 'p-queue';
import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import { seedTenant } from '../demo/seed.ts';
import { createPasswordHasher } from '../features/credentials/password-hasher.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import type { Tenant } from '../tenants.ts';
import { selectTenants } from './select-tenants.ts';

export type DemoOptions = { readonly postings?: number; readonly tenant?: string[] };
type SeedOutcome = Awaited<ReturnType<typeof seedTenant>>;

const outcomeTexts: Record<SeedOutcome, string> = {
  seeded: 'demo data created',
  'already-demo': 'already has demo data',
  foreign: 'has other data and was not changed',
};

export async function createDemoData(config: Config, { postings, tenant }: DemoOptions): Promise<void> {
  const tenants = selectTenants(config, tenant);
  await seedTenants(
    config,
    tenants,
    { now: toMs2000(Date.now()), ...(postings === undefined ? {} : { postings }) },
    (name, outcome) => {
      process.stdout.write(`${name}: ${outcomeTexts[outcome]}\n`);
    },
  );
}

type SeedOptions = { readonly now: number; readonly postings?: number };

// Two use the processor fully; more would only need more memory.
const maxConcurrentSeeds = 2;

/** Migrates and seeds each tenant over connections of its own, so that the memory of seeding is freed with them. */
export async function seedTenants(
  { storage }: Config,
  tenants: readonly Tenant[],
  options: SeedOptions,
  onSeeded: (tenant: string, outcome: SeedOutcome) => void,
): Promise<void> {
  const passwords = createPasswordHasher();
  const seedOne = async (tenant: Tenant): Promise<void> => {
    const databases = openDatabases(storage);
    try {
      await databases.migrate(tenant.name);
      onSeeded(tenant.name, await seedTenant(databases.forTenant(tenant.name), tenant, { ...options, passwords }));
    } finally {
      await databases.close();
    }
  };
  const queue = new PQueue({ concurrency: maxConcurrentSeeds });
  await Promise.all(tenants.map((tenant) => queue.add(() => seedOne(tenant))));
}
