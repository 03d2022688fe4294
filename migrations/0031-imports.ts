// Adds imports: their plans row by row, the keys that sources have for objects, and the profiles of a tenant.

import type { PortalMigration } from '../src/database/migration.ts';

export const importsMigration: PortalMigration = async (db, dialect) => {
  await createImports(db, dialect);
  await createRows(db, dialect);
  await createKeysAndProfiles(db, dialect);
};

const createImports: PortalMigration = async ({ schema }, { int64, text, longText, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('import_heads')
      .addColumn('id', int64, (column) => column.primaryKey().notNull())
      .addColumn('allocated', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('imports')
      .addColumn('import_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('kind', text(32), (column) => column.notNull())
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('source', text(64), (column) => column.notNull())
      .addColumn('state', text(16), (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('created_by', int64)
      .addColumn('changed_at', int64, (column) => column.notNull())
      .addColumn('file_hash', text(64))
      .addColumn('file_bytes', int64, (column) => column.notNull())
      .addColumn('detected', longText)
      .addColumn('missing_action', text(16), (column) => column.notNull())
      .addColumn('creates', int64, (column) => column.notNull())
      .addColumn('updates', int64, (column) => column.notNull())
      .addColumn('unchanged', int64, (column) => column.notNull())
      .addColumn('missing', int64, (column) => column.notNull())
      .addColumn('refused', int64, (column) => column.notNull())
      .addColumn('allow_partial', int64, (column) => column.notNull())
      .addColumn('done_through', int64, (column) => column.notNull())
      .addColumn('applied', int64, (column) => column.notNull())
      .addColumn('stale', int64, (column) => column.notNull())
      .addColumn('failed', int64, (column) => column.notNull())
      .addColumn('undone', int64, (column) => column.notNull())
      .addColumn('kept', int64, (column) => column.notNull())
      .addColumn('failure', longText)
      .addColumn('actor', longText)
      .addColumn('worker', text(64))
      .addColumn('lease_until', int64)
      .addColumn('revision', int64, (column) => column.notNull()),
  ).execute();
  await schema.createIndex('imports_by_state').on('imports').columns(['state', 'import_id']).execute();
};

const createRows: PortalMigration = async ({ schema }, { int64, text, longText, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('import_rows')
      .addColumn('import_id', int64, (column) => column.notNull())
      .addColumn('position', int64, (column) => column.notNull())
      .addColumn('line', int64, (column) => column.notNull())
      .addColumn('row_key', text(200), (column) => column.notNull())
      .addColumn('action', text(16), (column) => column.notNull())
      .addColumn('object_kid', text(128))
      .addColumn('object_revision', text(64))
      .addColumn('row_values', longText)
      .addColumn('changes', longText)
      .addColumn('errors', longText)
      .addColumn('outcome', text(16))
      .addColumn('result_revision', text(64))
      .addPrimaryKeyConstraint('import_rows_pk', ['import_id', 'position']),
  ).execute();
  await schema
    .createIndex('import_rows_by_action')
    .on('import_rows')
    .columns(['import_id', 'action', 'position'])
    .execute();
  await schema.createIndex('import_rows_by_key').on('import_rows').columns(['import_id', 'row_key']).execute();
  await schema.createIndex('import_rows_by_object').on('import_rows').columns(['object_kid']).execute();
  await withTableOptions(
    schema
      .createTable('import_claims')
      .addColumn('import_id', int64, (column) => column.notNull())
      .addColumn('claim', text(64), (column) => column.notNull())
      .addColumn('position', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('import_claims_pk', ['import_id', 'claim']),
  ).execute();
};

const createKeysAndProfiles: PortalMigration = async ({ schema }, { int64, text, longText, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('import_keys')
      .addColumn('kind', text(32), (column) => column.notNull())
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('source', text(64), (column) => column.notNull())
      .addColumn('source_key', text(200), (column) => column.notNull())
      .addColumn('object_kid', text(128), (column) => column.notNull())
      .addPrimaryKeyConstraint('import_keys_pk', ['kind', 'bank_id', 'source', 'source_key'])
      .addUniqueConstraint('import_keys_object', ['object_kid', 'kind', 'source']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('import_profiles')
      .addColumn('name', text(64), (column) => column.notNull())
      .addColumn('version', int64, (column) => column.notNull())
      .addColumn('kind', text(64), (column) => column.notNull())
      .addColumn('document', longText, (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('created_by', int64)
      .addPrimaryKeyConstraint('import_profiles_pk', ['name', 'version']),
  ).execute();
};
