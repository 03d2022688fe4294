// Creates the tree of places (banks, locations, units) and the tenant's settings.

import type { PortalMigration } from '../src/database/migration.ts';

export const placesMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  const { schema } = db;
  await withTableOptions(
    schema
      .createTable('tenant_settings')
      .addColumn('name', text(64), (column) => column.primaryKey().notNull())
      .addColumn('value', text(255), (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('health')
      .addColumn('id', int64, (column) => column.primaryKey().notNull())
      .addColumn('beats', int64, (column) => column.notNull()),
  ).execute();
  // As tables are kept from a run that was stopped, so is their row.
  const health = db.selectFrom('health').select('id');
  if ((await health.executeTakeFirst()) === undefined)
    await db.insertInto('health').values({ id: 1, beats: 0 }).execute();
  await withTableOptions(
    schema
      .createTable('banks')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('bank_type', int64, (column) => column.notNull())
      .addColumn('icon', text(64))
      .addColumn('currency', text(3), (column) => column.notNull())
      .addColumn('vat_basis_points', int64)
      .addColumn('enabled', int64, (column) => column.notNull())
      .addColumn('deleted_at', int64)
      .addColumn('places_version', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('locations')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('time_zone', text(64), (column) => column.notNull())
      .addColumn('enabled', int64, (column) => column.notNull())
      .addColumn('deleted_at', int64)
      .addPrimaryKeyConstraint('locations_pk', ['bank_id', 'location_id']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('units')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('unit_type', int64, (column) => column.notNull())
      .addColumn('enabled', int64, (column) => column.notNull())
      .addColumn('deleted_at', int64)
      .addPrimaryKeyConstraint('units_pk', ['bank_id', 'location_id', 'unit_id']),
  ).execute();
};
