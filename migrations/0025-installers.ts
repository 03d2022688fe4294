// Creates installers, who service units: their locations, tags, and the words by which they are found.

import type { Kysely } from 'kysely';
import type { SqlDialect } from '../src/database/db.ts';
import type { PortalMigration } from '../src/database/migration.ts';
import type { Tables } from '../src/database/tables.ts';

export const installersMigration: PortalMigration = async (db, dialect) => {
  await createInstallers(db, dialect);
  await createDetails(db, dialect);
  const createIndex = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute();
  // With what decides whether a list shows an installer, so that it passes over others without reading them.
  await createIndex('installers_by_name', 'installers', ['name_key', 'installer_id', 'state']);
  await createIndex('installers_by_activity', 'installers', ['last_activity_at', 'installer_id', 'state']);
  await createIndex('installer_tags_by_tag', 'installer_tags', ['tag_key', 'installer_id']);
};

async function createInstallers(
  { schema }: Kysely<Tables>,
  { int64, text, withTableOptions }: SqlDialect,
): Promise<void> {
  await withTableOptions(
    schema
      .createTable('installers')
      .addColumn('installer_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('name_key', text(100), (column) => column.notNull())
      .addColumn('email', text(254), (column) => column.notNull())
      .addColumn('phone', text(32), (column) => column.notNull())
      .addColumn('organisation', text(200), (column) => column.notNull())
      .addColumn('state', text(16), (column) => column.notNull())
      .addColumn('last_activity_at', int64)
      .addColumn('person_icon', text(64), (column) => column.notNull())
      .addColumn('icon_revision', int64, (column) => column.notNull())
      .addColumn('writes', int64, (column) => column.notNull()),
  ).execute();
}

async function createDetails({ schema }: Kysely<Tables>, { int64, text, withTableOptions }: SqlDialect): Promise<void> {
  await withTableOptions(
    schema
      .createTable('installer_tags')
      .addColumn('installer_id', int64, (column) => column.notNull())
      .addColumn('tag', text(64), (column) => column.notNull())
      .addColumn('tag_key', text(64), (column) => column.notNull())
      .addPrimaryKeyConstraint('installer_tags_pk', ['installer_id', 'tag_key']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('installer_locations')
      .addColumn('installer_id', int64, (column) => column.notNull())
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('installer_locations_pk', ['installer_id', 'bank_id', 'location_id']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('installer_words')
      .addColumn('word', text(64), (column) => column.notNull())
      .addColumn('installer_id', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('installer_words_pk', ['word', 'installer_id']),
  ).execute();
}
