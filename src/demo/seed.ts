// Fills an empty, migrated database with a tenant's demo data: the same ones every time, laid against the present.

import type { TenantDatabase } from '../database/tenant-database.ts';
import type { Passwords } from '../features/managers/passwords.ts';
import type { Tenant } from '../tenants.ts';
import { writeBookings } from './bookings.ts';
import { monthsUpTo } from './calendar.ts';
import { writeFoundation } from './foundation.ts';
import { writeLedger } from './ledgers.ts';
import { demoManagers, demoPasswordHash } from './managers.ts';
import { claim, clear, finish } from './marker.ts';
import { writeOpeningsAndPolicies } from './openings-and-policies.ts';
import { demoBanks } from './places.ts';
import { sceneOf } from './postings/scene.ts';
import { demoResidents } from './residents.ts';
import { writeUnitHistory } from './unit-history.ts';

export type SeedOptions = {
  /** MS2000. */
  readonly now: number;
  readonly passwords: Passwords;
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
  const ownership = await claim(database);
  if (ownership === 'foreign') return 'foreign';
  if (ownership === 'demo') return 'already-demo';
  if (ownership === 'unfinished') await clear(database);

  const communities = demoBanks(now).map((bank) => ({ bank, residents: demoResidents(bank, tenant, now) }));
  const managers = demoManagers(tenant, await demoPasswordHash(passwords));
  await database.write({ deadlineMs }, (db) => writeFoundation(db, tenant, communities, managers));
  await database.write({ deadlineMs }, (db) => writeOpeningsAndPolicies(db, tenant, communities, now));
  await database.write({ deadlineMs }, (db) => writeUnitHistory(db, tenant, communities, now));
  const periods = monthsUpTo(tenant.timeZone, now);
  for (const [at, community] of communities.entries()) {
    const total = at === 0 ? (postings ?? community.bank.postings) : community.bank.postings;
    await writeLedger(database, sceneOf(tenant, community, periods), total);
    await writeBookings(database, tenant, community, now);
  }
  await finish(database);
  return 'seeded';
}
