// Adds the profiles by which the charges of banks are written.

import type { PortalMigration } from '../src/database/migration.ts';

export const chargeProfilesMigration: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('charge_profiles')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('profile', text(64), (column) => column.notNull())
      .addColumn('key_source', text(64), (column) => column.notNull()),
  ).execute();
};
