// Creates the audit log: an entry for every write and every export, and the last link of each of its hash chains.

import type { PortalMigration } from '../src/database/migration.ts';

export const auditMigration: PortalMigration = async ({ schema }, { int64, text, longText, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('audit_heads')
      .addColumn('chain', int64, (column) => column.primaryKey().notNull())
      .addColumn('sequence', int64, (column) => column.notNull())
      .addColumn('link', text(43), (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('audit_entries')
      .addColumn('chain', int64, (column) => column.notNull())
      .addColumn('sequence', int64, (column) => column.notNull())
      .addColumn('at', int64, (column) => column.notNull())
      .addColumn('actor_kind', text(16), (column) => column.notNull())
      .addColumn('actor_id', int64)
      .addColumn('address', text(64))
      .addColumn('operation', text(64), (column) => column.notNull())
      .addColumn('object', text(128), (column) => column.notNull())
      .addColumn('old_values', longText)
      .addColumn('new_values', longText)
      .addColumn('request_id', text(128))
      .addColumn('environment', text(16))
      .addColumn('link', text(43), (column) => column.notNull())
      .addPrimaryKeyConstraint('audit_entries_pk', ['chain', 'sequence']),
  ).execute();
  // The order in which entries are listed ends each index, so that a page is read without sorting.
  const listed = ['at', 'chain', 'sequence'];
  const createIndex = (name: string, columns: string[]) =>
    schema.createIndex(name).on('audit_entries').columns(columns).execute();
  await createIndex('audit_entries_by_time', listed);
  await createIndex('audit_entries_by_actor', ['actor_kind', 'actor_id', ...listed]);
  await createIndex('audit_entries_by_actor_and_operation', ['actor_kind', 'actor_id', 'operation', ...listed]);
  await createIndex('audit_entries_by_operation', ['operation', ...listed]);
  // With what else entries are filtered by, so that those of one object are passed over without being read.
  await createIndex('audit_entries_by_object', ['object', ...listed, 'operation', 'actor_kind', 'actor_id']);
};
