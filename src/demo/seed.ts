// Fills an empty, migrated database with a tenant's demo data: the same ones every time, laid against the present.

import type { TenantDatabase } from '../database/tenant-database.ts';
import type { PasswordHasher } from '../features/credentials/password-hasher.ts';
import type { Tenant } from '../tenants.ts';
import { writeDemoBookings } from './bookings/write-bookings.ts';
import { monthsUpTo } from './calendar.ts';
import { writeMasterData } from './master-data.ts';
import { writeLedger } from './postings/write-ledger.ts';
import { createDemoManagers, hashDemoPassword } from './managers.ts';
import { claimDatabase, deleteUnfinishedData, markComplete } from './ownership.ts';
import { writeOpeningsAndPolicies } from './units/setup-settings.ts';
import { createDemoBanks } from './places/places.ts';
import { createLedgerScenario } from './postings/ledger-scenario.ts';
import { createDemoResidents } from './residents.ts';
import { writeUnitHistory } from './units/write-history.ts';

export type SeedOptions = {
  /** MS2000. */
  readonly now: number;
  readonly passwords: PasswordHasher;
  /** So many postings for the first bank, in place of its usual share. */
  readonly postings?: number;
};

const deadlineMs = 60_000;

/** Writes into an empty database alone; what an interrupted seeding left is cleared away and written anew. */
export async function seedTenant(
  database: TenantDatabase,
  tenant: Tenant,
  { now, passwords, postings }: SeedOptions,
): Promise<'seeded' | 'already-demo' | 'foreign'> {
  const ownership = await claimDatabase(database);
  if (ownership === 'foreign') return 'foreign';
  if (ownership === 'demo') return 'already-demo';
  if (ownership === 'unfinished') await deleteUnfinishedData(database);

  const communities = createDemoBanks(now).map((bank) => ({ bank, residents: createDemoResidents(bank, tenant, now) }));
  const managers = createDemoManagers(tenant, await hashDemoPassword(passwords));
  await database.write({ deadlineMs }, (db) => writeMasterData(db, tenant, communities, managers));
  await database.write({ deadlineMs }, (db) => writeOpeningsAndPolicies(db, tenant, communities, now));
  await database.write({ deadlineMs }, (db) => writeUnitHistory(db, tenant, communities, now));
  const periods = monthsUpTo(tenant.timeZone, now);
  for (const [at, community] of communities.entries()) {
    const total = at === 0 ? (postings ?? community.bank.postings) : community.bank.postings;
    await writeLedger(database, createLedgerScenario(tenant, community, periods), total);
    await writeDemoBookings(database, tenant, community, now);
  }
  await markComplete(database);
  return 'seeded';
}
