// Creates managers, their Tabs, permissions, grants and sessions.

import type { PortalMigration } from '../src/database/migration.ts';

export const managersMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  const { schema } = db;
  await withTableOptions(
    schema
      .createTable('managers')
      .addColumn('manager_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('user_name', text(128), (column) => column.notNull())
      .addColumn('user_name_key', text(128), (column) => column.notNull().unique())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('email', text(254), (column) => column.notNull())
      .addColumn('organisation', text(200), (column) => column.notNull())
      .addColumn('person_icon', text(64), (column) => column.notNull())
      .addColumn('theme', int64, (column) => column.notNull())
      .addColumn('retention_days', int64)
      .addColumn('password_hash', text(255), (column) => column.notNull())
      .addColumn('credential_stamp', text(64), (column) => column.notNull())
      .addColumn('active', int64, (column) => column.notNull())
      .addColumn('deleted_at', int64)
      .addColumn('revision', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('manager_tabs')
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('tab', text(32), (column) => column.notNull())
      .addPrimaryKeyConstraint('manager_tabs_pk', ['manager_id', 'tab']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('manager_permissions')
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('permission', text(32), (column) => column.notNull())
      .addPrimaryKeyConstraint('manager_permissions_pk', ['manager_id', 'permission']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('manager_grants')
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('manager_grants_pk', ['manager_id', 'bank_id', 'location_id']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('sessions')
      .addColumn('token_hash', text(64), (column) => column.primaryKey().notNull())
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('environment', text(16), (column) => column.notNull())
      .addColumn('credential_stamp', text(64), (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('expires_at', int64, (column) => column.notNull()),
  ).execute();
  await schema.createIndex('sessions_by_manager').on('sessions').columns(['manager_id', 'expires_at']).execute();
};
