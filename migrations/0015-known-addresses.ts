// Creates the addresses from which managers have logged in.

import type { PortalMigration } from '../src/database/migration.ts';

export const knownAddressesMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  await withTableOptions(
    db.schema
      .createTable('manager_addresses')
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('address_hash', text(64), (column) => column.notNull())
      .addColumn('last_login_at', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('manager_addresses_pk', ['manager_id', 'address_hash']),
  ).execute();
};
