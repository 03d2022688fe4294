// `demo`: fills empty databases with demo data, and leaves any other alone.

import type { Config } from '../config.ts';
import { openDatabases, type Databases } from '../database/databases.ts';
import { seedTenant } from '../demo/seed.ts';
import { argon2Passwords, type Passwords } from '../features/managers/passwords.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import type { Tenant } from '../tenants.ts';
import { chosenTenants } from './tenants.ts';

export type DemoOptions = { readonly postings?: number; readonly tenant?: string[] };
type Outcome = Awaited<ReturnType<typeof seedTenant>>;

const words: Record<Outcome, string> = {
  seeded: 'demo data created',
  'already-demo': 'has its demo data already',
  foreign: 'holds other data and was left alone',
};

export async function fillWithDemo(config: Config, { postings, tenant }: DemoOptions): Promise<void> {
  const databases = openDatabases(config.storage);
  try {
    const tenants = chosenTenants(config, tenant);
    await seedAll(
      {
        databases,
        tenants,
        passwords: argon2Passwords(),
        nowMs: Date.now(),
        ...(postings === undefined ? {} : { postings }),
      },
      (name, outcome) => {
        process.stdout.write(`${name}: ${words[outcome]}\n`);
      },
    );
  } finally {
    await databases.close();
  }
}

type SeedParts = {
  readonly databases: Databases;
  readonly tenants: readonly Tenant[];
  readonly passwords: Passwords;
  readonly nowMs: number;
  readonly postings?: number;
};

/** Migrates and seeds the tenants, several at once. */
export async function seedAll(
  { databases, tenants, passwords, nowMs, postings }: SeedParts,
  told: (tenant: string, outcome: Outcome) => void,
): Promise<void> {
  const seedOne = async (tenant: Tenant): Promise<void> => {
    await databases.migrate(tenant.name);
    const options = { now: toMs2000(nowMs), passwords, ...(postings === undefined ? {} : { postings }) };
    told(tenant.name, await seedTenant(databases.of(tenant.name), tenant, options));
  };
  await Promise.all(tenants.map(seedOne));
}
