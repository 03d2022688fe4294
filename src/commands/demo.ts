// `demo`: fills empty databases with demo data, and leaves any other alone.

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
  'already-demo': 'has its demo data already',
  foreign: 'holds other data and was left alone',
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

// As many as the machine has hands for; more would only hold more memory.
const maxConcurrentSeeds = 2;

/** Migrates and seeds tenants over connections of their own: what seeding took of memory goes with them. */
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
