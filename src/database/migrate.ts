// Brings a tenant's database to the current schema, or lists the migrations that it lacks.

import { Migrator, type Migration } from 'kysely/migration';
import { placesMigration } from '../../migrations/0001-places.ts';
import { residentsMigration } from '../../migrations/0002-residents.ts';
import { managersMigration } from '../../migrations/0003-managers.ts';
import { ledgerMigration } from '../../migrations/0004-ledger.ts';
import { idempotencyMigration } from '../../migrations/0005-idempotency.ts';
import { ledgerIntegrityMigration } from '../../migrations/0006-ledger-integrity.ts';
import { discountsMigration } from '../../migrations/0007-discounts.ts';
import { idempotencyLanguagesMigration } from '../../migrations/0008-kept-languages.ts';
import { unitSettingsMigration } from '../../migrations/0009-unit-settings.ts';
import { openingExceptionsMigration } from '../../migrations/0010-opening-exceptions.ts';
import { bookingsMigration } from '../../migrations/0011-bookings.ts';
import { residentRollupsMigration } from '../../migrations/0012-resident-rollups.ts';
import { bookingChargesMigration } from '../../migrations/0013-booking-charges.ts';
import { ledgerReversalsMigration } from '../../migrations/0014-ledger-reversals.ts';
import type { Db } from './db.ts';
import type { PortalMigration } from './migration.ts';

const migrations: Readonly<Record<string, PortalMigration>> = {
  '0001-places': placesMigration,
  '0002-residents': residentsMigration,
  '0003-managers': managersMigration,
  '0004-ledger': ledgerMigration,
  '0005-idempotency': idempotencyMigration,
  '0006-ledger-integrity': ledgerIntegrityMigration,
  '0007-discounts': discountsMigration,
  '0008-kept-languages': idempotencyLanguagesMigration,
  '0009-unit-settings': unitSettingsMigration,
  '0010-opening-exceptions': openingExceptionsMigration,
  '0011-bookings': bookingsMigration,
  '0012-resident-rollups': residentRollupsMigration,
  '0013-booking-charges': bookingChargesMigration,
  '0014-ledger-reversals': ledgerReversalsMigration,
};

function createMigrator(db: Db): Migrator {
  // A migration runs on the handle it is given: the migrator holds the connection that `db` would wait for.
  const entries = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (migrationDb) => up(migrationDb, db.dialect) },
  ]);
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(entries) } });
}

/** Runs the missing migrations; returns their names. */
export async function migrate(db: Db): Promise<string[]> {
  const { error, results = [] } = await createMigrator(db).migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** The names of the migrations that a database still lacks. */
export async function listPendingMigrations(db: Db): Promise<string[]> {
  const all = await createMigrator(db).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}
