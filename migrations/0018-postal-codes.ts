// Creates the postal codes that are imported, with the city of each.

import type { PortalMigration } from '../src/database/migration.ts';

export const postalCodesMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  await withTableOptions(
    db.schema
      .createTable('postal_imports')
      .addColumn('country', text(2), (column) => column.notNull())
      .addColumn('current_import', int64, (column) => column.notNull())
      .addColumn('last_import', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('postal_imports_pk', ['country']),
  ).execute();
  await withTableOptions(
    db.schema
      .createTable('postal_codes')
      .addColumn('country', text(2), (column) => column.notNull())
      .addColumn('import_id', int64, (column) => column.notNull())
      .addColumn('postcode', text(10), (column) => column.notNull())
      .addColumn('city', text(180))
      .addPrimaryKeyConstraint('postal_codes_pk', ['country', 'import_id', 'postcode']),
  ).execute();
};
