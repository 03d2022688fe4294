// Adds details of places, and the settings and states of units.

import type { PortalMigration } from '../src/database/migration.ts';

export const unitSettingsMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  const { schema } = db;
  await schema.alterTable('locations').addColumn('icon', text(64)).execute();
  for (const [column, length] of [
    ['address', 512],
    ['zip', 64],
  ] as const)
    await schema
      .alterTable('locations')
      .addColumn(column, text(length), (added) => added.notNull().defaultTo(''))
      .execute();
  for (const column of ['packed_type', 'last_contact_at'] as const)
    await schema.alterTable('units').addColumn(column, int64).execute();
  await schema
    .alterTable('units')
    .addColumn('version', int64, (column) => column.notNull().defaultTo(1))
    .execute();
  // All that overviews count units by. SQLite reads no unit's row then; InnoDB, whose primary key is the row, goes through
  // that instead where most of a bank is counted, which costs it the same.
  await schema
    .createIndex('units_overview')
    .on('units')
    .columns(['bank_id', 'location_id', 'deleted_at', 'last_contact_at', 'unit_type', 'packed_type'])
    .execute();
  const unitKeyColumns = ['bank_id', 'location_id', 'unit_id'] as const;
  await withTableOptions(
    schema
      .createTable('unit_settings')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('name', text(64), (column) => column.notNull())
      .addColumn('value', text(1000))
      .addColumn('version', int64, (column) => column.notNull())
      .addColumn('changed_at', int64, (column) => column.notNull())
      .addColumn('editor_id', int64)
      .addColumn('sync_id', int64)
      .addPrimaryKeyConstraint('unit_settings_pk', [...unitKeyColumns, 'name']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('unit_setting_history')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('name', text(64), (column) => column.notNull())
      .addColumn('version', int64, (column) => column.notNull())
      .addColumn('value', text(1000))
      .addColumn('changed_at', int64, (column) => column.notNull())
      .addColumn('editor_id', int64)
      .addColumn('sync_id', int64)
      .addPrimaryKeyConstraint('unit_setting_history_pk', [...unitKeyColumns, 'name', 'version']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('unit_states')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('name', text(64), (column) => column.notNull())
      .addColumn('value', text(1000))
      .addColumn('reported_at', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('unit_states_pk', [...unitKeyColumns, 'name']),
  ).execute();
};
