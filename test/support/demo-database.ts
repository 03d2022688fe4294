// Creates migrated databases of either engine for tests of demo data, and removes them afterwards.

import { sql, type RawBuilder } from 'kysely';
import { prepareDatabase } from './migrated-copy.ts';
import { createStorage, type Engine } from './service.ts';
import { readTableRows, type TableRows } from './table-rows.ts';
import { testNow } from './times.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { Tables } from '../../src/database/tables.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { createPasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { builtInTenants, type Tenant } from '../../src/tenants.ts';
import { seedTenant, type SeedOptions } from '../../demo/seed.ts';

const passwords = createPasswordHasher();

export const getTenant = (name: string): Tenant => {
  const tenant = builtInTenants.find((each) => each.name === name);
  if (tenant === undefined) throw new Error(`no tenant ${name}`);
  return tenant;
};

/** Enough for everything that the demo shows, and quickly written. */
const fewPostings = 300;

/** All that a demo has; with `postings`, few of them for the banks after the first one. */
export const seedDemoTenant = (database: TenantDatabase, name = 'sund', options: Partial<SeedOptions> = {}) =>
  seedTenant(database, getTenant(name), {
    now: testNow,
    passwords,
    ...(options.postings === undefined ? {} : { otherPostings: fewPostings }),
    ...options,
  });

export type MigratedDatabases = { readonly databases: Databases; release(): Promise<void> };

export async function openMigratedDatabases(engine: Engine, ...tenants: string[]): Promise<MigratedDatabases> {
  const storage = await createStorage(engine);
  const address = readConfig({ PORTAL_STORAGE: storage.storageUrl }).storage;
  const databases = openDatabases(address);
  await Promise.all(tenants.map((tenant) => prepareDatabase(databases, address, tenant)));
  return {
    databases,
    release: async () => {
      await databases.close();
      await storage.release();
    },
  };
}

export async function readRows<T>(database: TenantDatabase, statement: RawBuilder<T>): Promise<T[]> {
  const { rows } = await database.read({ deadlineMs: 30_000 }, (db) => statement.execute(db));
  return rows;
}

/** How many rows there are behind this `from ...`. */
export async function countRows(database: TenantDatabase, from: RawBuilder<unknown>): Promise<number> {
  const [row] = await readRows(database, sql<{ n: number }>`select count(*) as n ${from}`);
  return row?.n ?? 0;
}

const seededTables: readonly (keyof Tables)[] = [
  'tenant_settings',
  'banks',
  'locations',
  'units',
  'unit_settings',
  'unit_setting_history',
  'unit_states',
  'opening_exceptions',
  'residents',
  'managers',
  'manager_tabs',
  'manager_permissions',
  'manager_grants',
  'ledgers',
  'settlement_periods',
  'postings',
  'posting_rollups',
  'resident_rollups',
  'device_sync_heads',
  'device_sync',
  'booking_heads',
  'bookings',
  'booking_events',
  'booking_slots',
];

/** Every row of every table that is seeded. */
export const readSeededRows = (database: TenantDatabase): Promise<TableRows> =>
  database.read({ deadlineMs: 30_000 }, (db) => readTableRows(db, seededTables));
