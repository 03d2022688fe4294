// Databases for the tests of demo data: migrated, of either engine, and gone afterwards.

import { sql, type RawBuilder } from 'kysely';
import { makeStorage, type EngineName } from './service.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { Tables } from '../../src/database/tables.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { argon2Passwords } from '../../src/features/managers/passwords.ts';
import { toMs2000 } from '../../src/lib/ms2000.ts';
import { builtInTenants, type Tenant } from '../../src/tenants.ts';
import { seedTenant, type SeedOptions } from '../../src/demo/seed.ts';

export const now = toMs2000(Date.parse('2026-06-15T09:30:00Z'));

const passwords = argon2Passwords();

export const tenantNamed = (name: string): Tenant => {
  const tenant = builtInTenants.find((each) => each.name === name);
  if (tenant === undefined) throw new Error(`no tenant ${name}`);
  return tenant;
};

export const seed = (database: TenantDatabase, name = 'sund', options: Partial<SeedOptions> = {}) =>
  seedTenant(database, tenantNamed(name), { now, passwords, ...options });

export type Opened = { readonly databases: Databases; release(): Promise<void> };

export async function openMigrated(engine: EngineName, ...tenants: string[]): Promise<Opened> {
  const storage = await makeStorage(engine);
  const databases = openDatabases(readConfig({ PORTAL_STORAGE: storage.setting }).storage);
  await Promise.all(tenants.map((tenant) => databases.migrate(tenant)));
  return {
    databases,
    release: async () => {
      await databases.close();
      await storage.release();
    },
  };
}

export async function query<T>(database: TenantDatabase, statement: RawBuilder<T>): Promise<T[]> {
  const { rows } = await database.read({ deadlineMs: 30_000 }, (db) => statement.execute(db));
  return rows;
}

/** How many rows there are behind this `from ...`. */
export async function count(database: TenantDatabase, from: RawBuilder<unknown>): Promise<number> {
  const [row] = await query(database, sql<{ n: number }>`select count(*) as n ${from}`);
  return row?.n ?? 0;
}

const tables: readonly (keyof Tables)[] = [
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

/** Every row of every table that is seeded, as text. */
export async function contents(database: TenantDatabase): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>();
  for (const table of tables) {
    const rows = await query(database, sql<object>`select * from ${sql.table(table)}`);
    all.set(table, rows.map((row) => Object.values(row).map(String).join('|')).toSorted());
  }
  return all;
}
