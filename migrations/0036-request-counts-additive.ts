// Adds the counts of requests of principals, so that their limit counts once over all processes of the service.

import type { PortalMigration } from '../src/database/migration.ts';

export const requestCountsMigration: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('request_counts')
      .addColumn('window_start', int64, (column) => column.notNull())
      .addColumn('principal', text(64), (column) => column.notNull())
      .addColumn('process', text(16), (column) => column.notNull())
      .addColumn('requests', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('request_counts_pk', ['window_start', 'principal', 'process']),
  ).execute();
};
