// Brings a tenant's database to the current schema, or compares it with that.

import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration';
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
import { knownAddressesMigration } from '../../migrations/0015-known-addresses.ts';
import { ledgerClockMigration } from '../../migrations/0016-ledger-clock.ts';
import { residentAdministrationMigration } from '../../migrations/0017-resident-administration.ts';
import { postalCodesMigration } from '../../migrations/0018-postal-codes.ts';
import { objectAddressesMigration } from '../../migrations/0019-object-addresses.ts';
import { documentsMigration } from '../../migrations/0020-documents.ts';
import { auditMigration } from '../../migrations/0021-audit.ts';
import { managerAdministrationMigration } from '../../migrations/0022-managers.ts';
import { profileMigration } from '../../migrations/0023-profile.ts';
import { servicesMigration } from '../../migrations/0024-services.ts';
import { installersMigration } from '../../migrations/0025-installers.ts';
import { auditLockMigration } from '../../migrations/0026-audit-lock.ts';
import { tenantStatusMigration } from '../../migrations/0027-tenant-status.ts';
import { serviceKeyMakersMigration } from '../../migrations/0028-service-key-makers.ts';
import { computersMigration } from '../../migrations/0029-computers.ts';
import { paymentReferencesMigration } from '../../migrations/0030-payment-references.ts';
import { importsMigration } from '../../migrations/0031-imports.ts';
import { importIndexesMigration } from '../../migrations/0032-import-indexes.ts';
import { chargeProfilesMigration } from '../../migrations/0033-charge-profiles.ts';
import { statusSnapshotsMigration } from '../../migrations/0034-status-snapshots.ts';
import { loginFailuresMigration } from '../../migrations/0035-login-failures.ts';
import { requestCountsMigration } from '../../migrations/0036-request-counts-additive.ts';
import type { Db } from './db.ts';
import type { SchemaDifference } from './checks/diagnosis.ts';
import type { PortalMigration } from './migration.ts';
import { isRestoring } from './restores/unfinished-restore.ts';

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
  '0015-known-addresses': knownAddressesMigration,
  '0016-ledger-clock': ledgerClockMigration,
  '0017-resident-administration': residentAdministrationMigration,
  '0018-postal-codes': postalCodesMigration,
  '0019-object-addresses': objectAddressesMigration,
  '0020-documents': documentsMigration,
  '0021-audit': auditMigration,
  '0022-managers': managerAdministrationMigration,
  '0023-profile': profileMigration,
  '0024-services': servicesMigration,
  '0025-installers': installersMigration,
  '0026-audit-lock': auditLockMigration,
  '0027-tenant-status': tenantStatusMigration,
  '0028-service-key-makers': serviceKeyMakersMigration,
  '0029-computers': computersMigration,
  '0030-payment-references': paymentReferencesMigration,
  '0031-imports': importsMigration,
  '0032-import-indexes': importIndexesMigration,
  '0033-charge-profiles': chargeProfilesMigration,
  '0034-status-snapshots': statusSnapshotsMigration,
  '0035-login-failures': loginFailuresMigration,
  '0036-request-counts-additive': requestCountsMigration,
};

function createMigrator(db: Db): Migrator {
  // A migration runs on the handle it is given: the migrator holds the connection that `db` would wait for.
  const entries = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (migrationDb) => up(migrationDb, db.dialect) },
  ]);
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(entries) } });
}

/** Every migration of this version, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrations);

/** Whether the version before can go on with a database that has the migration, which its author promises by the name. */
export const isAdditive = (name: string): boolean => name.endsWith('-additive');

/** Runs the missing migrations, up to `last` if it is given; returns their names. */
export async function migrate(db: Db, last?: string): Promise<string[]> {
  const migrator = createMigrator(db);
  const { error, results = [] } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** How a database differs from what the migrations of this version make of it. */
export async function compareSchema(db: Db): Promise<SchemaDifference> {
  const executed = await listExecutedMigrations(db);
  return {
    missing: knownMigrations.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !knownMigrations.includes(name)),
    isRestoring: await isRestoring(db),
  };
}

export async function listExecutedMigrations(db: Db): Promise<string[]> {
  if (!(await db.dialect.hasTable(db, DEFAULT_MIGRATION_TABLE))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
