// Adds what documents of units are made of: what states were over time, the Cycles that carry a document's tag, and up to
// when a unit's equipment has sent everything.

import type { PortalMigration } from '../src/database/migration.ts';

const unitKeyColumns = ['bank_id', 'location_id', 'unit_id'] as const;

export const documentsMigration: PortalMigration = async (db, dialect) => {
  await createSamples(db, dialect);
  await createCycles(db, dialect);
  // What a setting was within a document.
  await db.schema
    .createIndex('unit_setting_history_by_time')
    .on('unit_setting_history')
    .columns([...unitKeyColumns, 'name', 'changed_at'])
    .execute();
};

const createSamples: PortalMigration = async (db, { int64, text, longText, withTableOptions }) => {
  const { schema } = db;
  // A year of a laundry is tens of millions of samples: each has a series of eight bytes in place of its unit and name.
  await withTableOptions(
    schema
      .createTable('state_series')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('name', text(64), (column) => column.notNull())
      .addColumn('series_id', int64, (column) => column.notNull().unique())
      .addPrimaryKeyConstraint('state_series_pk', [...unitKeyColumns, 'name']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('state_series_heads')
      .addColumn('id', int64, (column) => column.primaryKey().notNull())
      .addColumn('allocated', int64, (column) => column.notNull()),
  ).execute();
  // As tables are kept from a run that was stopped, so is their row.
  const head = db.selectFrom('state_series_heads').select('id');
  if ((await head.executeTakeFirst()) === undefined)
    await db.insertInto('state_series_heads').values({ id: 1, allocated: 0 }).execute();
  await withTableOptions(
    schema
      .createTable('state_samples')
      .addColumn('series_id', int64, (column) => column.notNull())
      .addColumn('at', int64, (column) => column.notNull())
      .addColumn('value', longText)
      .addPrimaryKeyConstraint('state_samples_pk', ['series_id', 'at']),
  ).execute();
};

const createCycles: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('document_cycles')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('at', int64, (column) => column.notNull())
      .addColumn('document_id', int64, (column) => column.notNull())
      .addColumn('value', text(64))
      .addPrimaryKeyConstraint('document_cycles_pk', [...unitKeyColumns, 'document_id', 'at']),
  ).execute();
  // What follows a document, and the documents of one unit.
  await schema
    .createIndex('document_cycles_of_unit')
    .on('document_cycles')
    .columns([...unitKeyColumns, 'at desc', 'document_id'])
    .execute();
  // The latest documents, in the order in which a search lists them.
  await schema
    .createIndex('document_cycles_of_bank')
    .on('document_cycles')
    .columns(['bank_id', 'at desc', 'location_id', 'unit_id', 'document_id'])
    .execute();
  await schema
    .createIndex('document_cycles_of_location')
    .on('document_cycles')
    .columns(['bank_id', 'location_id', 'at desc', 'unit_id', 'document_id'])
    .execute();
  await withTableOptions(
    schema
      .createTable('unit_syncs')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('synced_at', int64, (column) => column.notNull())
      .addColumn('late_writes', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('unit_syncs_pk', [...unitKeyColumns]),
  ).execute();
};
