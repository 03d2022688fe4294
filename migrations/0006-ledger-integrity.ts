// Adds the ledger's hash chain, also over existing postings, and the outbox to the devices.

import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { hash } from 'node:crypto';
import type { PortalMigration } from '../src/database/migration.ts';
import type { Tables } from '../src/database/tables.ts';

export const ledgerIntegrityMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  const { schema } = db;
  for (const table of ['postings', 'settlement_periods'] as const)
    await schema
      .alterTable(table)
      .addColumn('chain', text(43), (column) => column.notNull().defaultTo(''))
      .execute();
  // How many records each bank's outbox was ever given: the last of their ids.
  await withTableOptions(
    schema
      .createTable('device_sync_heads')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('queued', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('device_sync')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('sync_id', int64, (column) => column.notNull())
      .addColumn('subject_kind', text(16), (column) => column.notNull())
      .addColumn('subject_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('state', text(16), (column) => column.notNull())
      .addColumn('attempts', int64, (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('updated_at', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('device_sync_pk', ['bank_id', 'sync_id']),
  ).execute();
  await schema.createIndex('device_sync_by_state').on('device_sync').columns(['bank_id', 'state', 'sync_id']).execute();
  const ledgers = await db.selectFrom('ledgers').select('bank_id').orderBy('bank_id').execute();
  for (const { bank_id: bankId } of ledgers) await storeLedgerChain(db, bankId);
};

const rowsPerBatch = 1000;
// A statement's list of cases is gone through from its beginning for each row.
const linksPerStatement = 200;

/** A run that was stopped is begun again: what it has sealed already is found to be right, and is not written twice. */
async function storeLedgerChain(db: Kysely<Tables>, bankId: number): Promise<void> {
  const closings = await db
    .selectFrom('settlement_periods')
    .selectAll()
    .where('bank_id', '=', bankId)
    .orderBy('period')
    .execute();
  let link = '';
  const linkClosingsBefore = async (period: number): Promise<void> => {
    for (let next = closings[0]; next !== undefined && next.period < period; next = closings[0]) {
      closings.shift();
      link = computeClosingLink(link, next);
      await storeClosingLink(db, next, link);
    }
  };
  let lastPostingId = 0;
  for (;;) {
    const rows = await listPostingsAfter(db, bankId, lastPostingId);
    if (rows.length === 0) break;
    let linksToStore: [postingId: number, link: string][] = [];
    for (const row of rows) {
      await linkClosingsBefore(row.period);
      link = computePostingLink(link, row);
      if (row.chain !== link) linksToStore.push([row.posting_id, link]);
      lastPostingId = row.posting_id;
    }
    while (linksToStore.length > 0) {
      await storePostingLinks(db, bankId, linksToStore.slice(0, linksPerStatement));
      linksToStore = linksToStore.slice(linksPerStatement);
    }
  }
  await linkClosingsBefore(Number.POSITIVE_INFINITY);
}

function listPostingsAfter(db: Kysely<Tables>, bankId: number, after: number): Promise<Tables['postings'][]> {
  return db
    .selectFrom('postings')
    .selectAll()
    .where('bank_id', '=', bankId)
    .where('posting_id', '>', after)
    .orderBy('posting_id')
    .limit(rowsPerBatch)
    .execute();
}

async function storePostingLinks(
  db: Kysely<Tables>,
  bankId: number,
  links: readonly [number, string][],
): Promise<void> {
  const cases = sql.join(
    links.map(([postingId, link]) => sql`when ${postingId} then ${link}`),
    sql` `,
  );
  await db
    .updateTable('postings')
    .set({ chain: sql<string>`case posting_id ${cases} end` })
    .where('bank_id', '=', bankId)
    .where(
      'posting_id',
      'in',
      links.map(([postingId]) => postingId),
    )
    .execute();
}

async function storeClosingLink(
  db: Kysely<Tables>,
  { bank_id, period }: Tables['settlement_periods'],
  chain: string,
): Promise<void> {
  await db
    .updateTable('settlement_periods')
    .set({ chain })
    .where('bank_id', '=', bank_id)
    .where('period', '=', period)
    .execute();
}

// The first version of the links, as it stays for the rows that this migration finds (see features/account/rules/hash-chain.ts).

const integerColumns = (
  'bank_id posting_id recorded_at location_id unit_id user_id kind payment_kind amount_minor vat_minor ' +
  'period document_id internal_tag reversal_of fingerprint'
).split(' ') as (keyof Tables['postings'])[];

function computePostingLink(previous: string, row: Tables['postings']): string {
  const texts = [row.currency, row.text, row.payment_reference];
  return hashLink(
    'posting.1',
    previous,
    ...integerColumns.map((column) => row[column] ?? ''),
    ...texts.map(formatTextPart),
  );
}

function computeClosingLink(previous: string, row: Tables['settlement_periods']): string {
  return hashLink('closing.1', previous, row.bank_id, row.period, row.from_at, row.through_at, row.closed_at);
}

const hashLink = (version: string, previous: string, ...parts: readonly (string | number | bigint)[]): string =>
  hash('sha256', [version, formatTextPart(previous), ...parts].join('|'), 'base64url');

const formatTextPart = (value: string | null): string => (value === null ? '' : `${Buffer.byteLength(value)}:${value}`);
