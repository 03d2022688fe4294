// Creates the residents of a bank.

import type { PortalMigration } from '../src/database/migration.ts';

export const residentsMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  await withTableOptions(
    db.schema
      .createTable('residents')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('resident_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64)
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('apartment', text(64), (column) => column.notNull())
      .addColumn('email', text(254), (column) => column.notNull())
      .addColumn('phone', text(32), (column) => column.notNull())
      .addColumn('language', text(8), (column) => column.notNull())
      .addColumn('enabled', int64, (column) => column.notNull())
      .addColumn('deleted_at', int64)
      .addColumn('expired_at', int64)
      .addColumn('revision', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('residents_pk', ['bank_id', 'resident_id']),
  ).execute();
  await db.schema.createIndex('residents_by_expiry').on('residents').columns(['bank_id', 'expired_at']).execute();
};
