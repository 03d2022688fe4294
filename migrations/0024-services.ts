// Creates the service identities of a tenant: a row for each of the fixed catalogue, the history of what was changed, and
// what their API keys may read.

import type { Kysely } from 'kysely';
import type { SqlDialect } from '../src/database/db.ts';
import type { PortalMigration } from '../src/database/migration.ts';
import type { Tables } from '../src/database/tables.ts';

export const servicesMigration: PortalMigration = async (db, dialect) => {
  await createServices(db, dialect);
  await createReadAccess(db, dialect);
  await insertIdentities(db);
};

async function createServices(
  { schema }: Kysely<Tables>,
  { int64, text, withTableOptions }: SqlDialect,
): Promise<void> {
  await withTableOptions(
    schema
      .createTable('services')
      .addColumn('service_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('icon', text(64), (column) => column.notNull())
      .addColumn('api_key_hash', text(255))
      .addColumn('api_key_environment', text(16))
      .addColumn('revision', int64, (column) => column.notNull())
      .addColumn('writes', int64, (column) => column.notNull())
      .addColumn('access_granted_by', int64)
      .addColumn('access_granted_at', int64),
  ).execute();
  await withTableOptions(
    schema
      .createTable('service_history')
      .addColumn('service_id', int64, (column) => column.notNull())
      .addColumn('revision', int64, (column) => column.notNull())
      .addColumn('changed_at', int64, (column) => column.notNull())
      .addColumn('editor_id', int64, (column) => column.notNull())
      .addColumn('field', text(32), (column) => column.notNull())
      .addColumn('old_value', text(200))
      .addColumn('new_value', text(200))
      .addPrimaryKeyConstraint('service_history_pk', ['service_id', 'revision']),
  ).execute();
}

async function createReadAccess(
  { schema }: Kysely<Tables>,
  { int64, text, withTableOptions }: SqlDialect,
): Promise<void> {
  await withTableOptions(
    schema
      .createTable('service_operations')
      .addColumn('service_id', int64, (column) => column.notNull())
      .addColumn('operation_id', text(64), (column) => column.notNull())
      .addPrimaryKeyConstraint('service_operations_pk', ['service_id', 'operation_id']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('service_key_uses')
      .addColumn('service_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('last_used_at', int64, (column) => column.notNull()),
  ).execute();
}

/** As they are named at first. */
const identities: readonly (readonly [serviceId: number, name: string, icon: string])[] = [
  [1, 'Gateway', 'server'],
  [2, 'Payments', 'credit_card'],
  [3, 'Mailer', 'mail'],
  [4, 'Text messages', 'message'],
  [5, 'Statistics', 'chart'],
  [6, 'Scheduler', 'sync'],
  [7, 'Settlements', 'ledger'],
  [8, 'Bookings', 'clipboard'],
  [9, 'Documents', 'document'],
  [10, 'Geocoder', 'place'],
  [11, 'Monitoring', 'bell'],
  [12, 'Backup', 'database'],
  [20, 'Assistant', 'robot'],
  [100, 'Import', 'cloud'],
  [101, 'Export', 'api'],
];

async function insertIdentities(db: Kysely<Tables>): Promise<void> {
  // A run that was stopped is begun again.
  await db.deleteFrom('services').execute();
  const rows = identities.map(([serviceId, name, icon]) => ({
    service_id: serviceId,
    name,
    icon,
    api_key_hash: null,
    api_key_environment: null,
    revision: 1,
    writes: 0,
    access_granted_by: null,
    access_granted_at: null,
  }));
  await db.insertInto('services').values(rows).execute();
}
