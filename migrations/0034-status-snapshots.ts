// Adds the snapshots of the tenant status, so that every replica of the service finds those of the others.

import type { PortalMigration } from '../src/database/migration.ts';

export const statusSnapshotsMigration: PortalMigration = async (
  { schema },
  { int64, text, longText, withTableOptions },
) => {
  await withTableOptions(
    schema
      .createTable('status_snapshots')
      .addColumn('snapshot_id', text(32), (column) => column.primaryKey().notNull())
      .addColumn('environment', text(16), (column) => column.notNull())
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('measured_at', int64, (column) => column.notNull())
      .addColumn('content', longText, (column) => column.notNull()),
  ).execute();
  await schema.createIndex('status_snapshots_by_time').on('status_snapshots').columns(['measured_at']).execute();
  await schema
    .createIndex('status_snapshots_of_manager')
    .on('status_snapshots')
    .columns(['manager_id', 'environment', 'measured_at'])
    .execute();
};
