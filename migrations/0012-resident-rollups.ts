// Adds the sums of each resident's postings by period, currency, kind and sign, from which receipts and balances are
// made; and an index that holds all columns that receipts show.

import { sql, type Kysely } from 'kysely';
import type { SqlDialect } from '../src/database/db.ts';
import type { PortalMigration } from '../src/database/migration.ts';
import type { Tables } from '../src/database/tables.ts';

export const residentRollupsMigration: PortalMigration = async (db, dialect) => {
  const { int64, text, withTableOptions } = dialect;
  await renameGuardColumn(db);
  await withTableOptions(
    db.schema
      .createTable('resident_rollups')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('user_id', int64, (column) => column.notNull())
      .addColumn('period', int64, (column) => column.notNull())
      .addColumn('currency', text(3), (column) => column.notNull())
      .addColumn('kind', int64, (column) => column.notNull())
      .addColumn('is_credit', int64, (column) => column.notNull())
      .addColumn('count', int64, (column) => column.notNull())
      .addColumn('amount_high', int64, (column) => column.notNull())
      .addColumn('amount_low', int64, (column) => column.notNull())
      .addColumn('fingerprint_high', int64, (column) => column.notNull())
      .addColumn('fingerprint_low', int64, (column) => column.notNull())
      .addColumn('text_bytes', int64, (column) => column.notNull())
      .addColumn('earliest', int64, (column) => column.notNull())
      .addColumn('latest', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('resident_rollups_pk', [
        'bank_id',
        'user_id',
        'period',
        'currency',
        'kind',
        'is_credit',
      ]),
  ).execute();
  await db.schema
    .createIndex('postings_of_user')
    .on('postings')
    .columns(['bank_id', 'user_id', 'recorded_at desc', 'location_id', 'unit_id', 'posting_id desc'])
    .columns(['kind', 'payment_kind', 'currency', 'amount_minor', 'period', 'document_id', 'fingerprint', 'text'])
    .execute();
  // The new one begins with all of its columns.
  const old = db.schema.dropIndex('postings_by_user');
  await (dialect.engine === 'sqlite' ? old : old.on('postings')).execute();
  // A run that was stopped is begun again.
  await db.deleteFrom('resident_rollups').execute();
  const ledgers = await db.selectFrom('ledgers').select('bank_id').orderBy('bank_id').execute();
  for (const { bank_id: bankId } of ledgers) await insertLedgerRollups(db, dialect, bankId);
};

/**
 * Whoever knows nothing of these sums must not post any more: the guard that such a version bumps before it posts has
 * another name from here on, so that it fails where it would leave a posting unsummed.
 */
async function renameGuardColumn(db: Kysely<Tables>): Promise<void> {
  const ledgers = (await db.introspection.getTables()).find(({ name }) => name === 'ledgers');
  // A run that was stopped may have come this far.
  if (ledgers?.columns.some(({ name }) => name === 'version') === true)
    await db.schema.alterTable('ledgers').renameColumn('version', 'writes').execute();
}

// Users up to this one are nobody's account.
const guestUserId = 1000;

/** One resident after the other: grouped all at once, a large ledger would be sorted in memory. */
async function insertLedgerRollups(db: Kysely<Tables>, dialect: SqlDialect, bankId: number): Promise<void> {
  let lastUserId = guestUserId;
  for (;;) {
    const next = await db
      .selectFrom('postings')
      .select('user_id')
      .where('bank_id', '=', bankId)
      .where('user_id', '>', lastUserId)
      .orderBy('user_id')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return;
    lastUserId = next.user_id;
    await insertResidentRollups(db, dialect, bankId, lastUserId);
  }
}

async function insertResidentRollups(
  db: Kysely<Tables>,
  { highHalf, lowHalf }: SqlDialect,
  bankId: number,
  userId: number,
): Promise<void> {
  const [amount, fingerprint] = [sql.ref('amount_minor'), sql.ref('fingerprint')];
  const sum = (half: ReturnType<typeof highHalf>) => sql<number>`sum(${half})`;
  await db
    .insertInto('resident_rollups')
    .columns([
      'bank_id',
      'user_id',
      'period',
      'currency',
      'kind',
      'is_credit',
      'count',
      'amount_high',
      'amount_low',
      'fingerprint_high',
      'fingerprint_low',
      'text_bytes',
      'earliest',
      'latest',
    ])
    .expression((eb) =>
      eb
        .selectFrom('postings')
        .select(['bank_id', 'user_id', 'period', 'currency', 'kind'])
        .select(sql<number>`amount_minor > 0`.as('is_credit'))
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          sum(highHalf(amount)).as('amount_high'),
          sum(lowHalf(amount)).as('amount_low'),
          sum(highHalf(fingerprint)).as('fingerprint_high'),
          sum(lowHalf(fingerprint)).as('fingerprint_low'),
          sql<number>`sum(octet_length(text))`.as('text_bytes'),
          fn.min<number>('recorded_at').as('earliest'),
          fn.max<number>('recorded_at').as('latest'),
        ])
        .where('bank_id', '=', bankId)
        .where('user_id', '=', userId)
        // Always so, but it leads to the index of a resident's postings.
        .where('recorded_at', '>=', sql.lit(Number.MIN_SAFE_INTEGER))
        .groupBy(['bank_id', 'user_id', 'period', 'currency', 'kind', 'is_credit']),
    )
    .execute();
}
