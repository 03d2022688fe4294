// Creates the records of writes that carried an Idempotency-Key.

import type { PortalMigration } from '../src/database/migration.ts';

export const idempotencyMigration: PortalMigration = async (db, { int64, text, longText, withTableOptions }) => {
  await withTableOptions(
    db.schema
      .createTable('idempotency_records')
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('key', text(128), (column) => column.notNull())
      .addColumn('request_hash', text(64), (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('status', int64)
      .addColumn('body', longText)
      .addPrimaryKeyConstraint('idempotency_records_pk', ['manager_id', 'key']),
  ).execute();
  await db.schema.createIndex('idempotency_records_by_age').on('idempotency_records').column('created_at').execute();
};
