// Adds the counts of wrong passwords, so that they count once over all replicas of the service, and after a restart.

import type { PortalMigration } from '../src/database/migration.ts';

export const loginFailuresMigration: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('login_failures')
      .addColumn('counter_hash', text(64), (column) => column.primaryKey().notNull())
      .addColumn('failures', int64, (column) => column.notNull())
      .addColumn('ends_at', int64, (column) => column.notNull()),
  ).execute();
  await schema.createIndex('login_failures_by_end').on('login_failures').columns(['ends_at']).execute();
};
