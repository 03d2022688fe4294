// Creates the ledger of a bank: its lock row, settlement periods, postings and their roll-ups.

import type { PortalMigration } from '../src/database/migration.ts';

export const ledgerMigration: PortalMigration = async (db, dialect) => {
  await createLedgers(db, dialect);
  await createPostings(db, dialect);
  await createPostingIndexes(db, dialect);
  await createRollups(db, dialect);
};

const createLedgers: PortalMigration = async ({ schema }, { int64, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('ledgers')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('version', int64, (column) => column.notNull())
      .addColumn('next_posting_id', int64, (column) => column.notNull())
      .addColumn('open_period', int64, (column) => column.notNull())
      .addColumn('opened_at', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('settlement_periods')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('period', int64, (column) => column.notNull())
      .addColumn('from_at', int64, (column) => column.notNull())
      .addColumn('through_at', int64, (column) => column.notNull())
      .addColumn('closed_at', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('settlement_periods_pk', ['bank_id', 'period']),
  ).execute();
};

const createPostings: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('postings')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('posting_id', int64, (column) => column.notNull())
      .addColumn('recorded_at', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('user_id', int64, (column) => column.notNull())
      .addColumn('kind', int64, (column) => column.notNull())
      .addColumn('payment_kind', int64, (column) => column.notNull())
      .addColumn('currency', text(3), (column) => column.notNull())
      .addColumn('amount_minor', int64, (column) => column.notNull())
      .addColumn('vat_minor', int64)
      .addColumn('period', int64, (column) => column.notNull())
      .addColumn('document_id', int64)
      .addColumn('text', text(500), (column) => column.notNull())
      .addColumn('internal_tag', int64)
      .addColumn('payment_reference', text(128))
      .addColumn('reversal_of', int64)
      .addColumn('fingerprint', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('postings_pk', ['bank_id', 'posting_id']),
  ).execute();
};

const createPostingIndexes: PortalMigration = async ({ schema }) => {
  // A posting is reversed once: the key says so on every node.
  await schema.createIndex('postings_reversal').on('postings').unique().columns(['bank_id', 'reversal_of']).execute();
  // One index for each way of selecting, in the order of the account's rows: newest first, then location, unit, id.
  const order = ['location_id', 'unit_id', 'posting_id desc'] as const;
  const index = (name: string) => schema.createIndex(name).on('postings');
  await index('postings_by_time')
    .columns(['bank_id', 'recorded_at desc', ...order])
    .execute();
  await index('postings_by_unit')
    .columns(['bank_id', 'location_id', 'unit_id', 'recorded_at desc', 'posting_id desc'])
    .execute();
  await index('postings_by_location')
    .columns(['bank_id', 'location_id', 'recorded_at desc', 'unit_id', 'posting_id desc'])
    .execute();
  await index('postings_by_user')
    .columns(['bank_id', 'user_id', 'recorded_at desc', ...order])
    .execute();
  await index('postings_by_period')
    .columns(['bank_id', 'period', 'recorded_at desc', ...order])
    .execute();
};

const createRollups: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('posting_rollups')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('grain', int64, (column) => column.notNull())
      .addColumn('bucket', int64, (column) => column.notNull())
      .addColumn('posting_class', int64, (column) => column.notNull())
      .addColumn('currency', text(3), (column) => column.notNull())
      .addColumn('count', int64, (column) => column.notNull())
      .addColumn('amount_high', int64, (column) => column.notNull())
      .addColumn('amount_low', int64, (column) => column.notNull())
      .addColumn('fingerprint_high', int64, (column) => column.notNull())
      .addColumn('fingerprint_low', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('posting_rollups_pk', [
        'bank_id',
        'location_id',
        'unit_id',
        'grain',
        'bucket',
        'posting_class',
        'currency',
      ]),
  ).execute();
};
