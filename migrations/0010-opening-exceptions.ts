// Creates the days on which other opening hours apply than on the weekday.

import type { PortalMigration } from '../src/database/migration.ts';

export const openingExceptionsMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  await withTableOptions(
    db.schema
      .createTable('opening_exceptions')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      // 0 is every unit of the location.
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('day', text(10), (column) => column.notNull())
      .addColumn('intervals', text(100), (column) => column.notNull())
      .addColumn('text', text(200), (column) => column.notNull())
      .addPrimaryKeyConstraint('opening_exceptions_pk', ['bank_id', 'location_id', 'unit_id', 'day']),
  ).execute();
};
