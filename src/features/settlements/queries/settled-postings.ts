// Reads the postings of a settlement period as a range of ids, which is the order of the table.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PartialSum } from '../../account/rules/rollups.ts';
import type { PostingRange } from '../rules/posting-range.ts';

export type KindPartialSum = PartialSum & { readonly kind: number };

/** The sums of the postings by kind. */
export async function listKindPartialSums(
  db: Db,
  { bank: { bankId }, first, last }: PostingRange,
): Promise<KindPartialSum[]> {
  const amount = sql.ref('amount_minor');
  return db
    .selectFrom('postings')
    .select(['kind', 'currency'])
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number>`sum(${db.dialect.highHalf(amount)})`.as('amount_high'),
      sql<number>`sum(${db.dialect.lowHalf(amount)})`.as('amount_low'),
      sql<number>`0`.as('fingerprint_high'),
      sql<number>`0`.as('fingerprint_low'),
    ])
    .where('bank_id', '=', bankId)
    .where('posting_id', '>=', first)
    .where('posting_id', '<=', last)
    .where(sql<SqlBool>`${db.dialect.interruptCheck(sql.ref('posting_id'))}`)
    .groupBy(['kind', 'currency', sql`amount_minor < 0`])
    .execute();
}

const settledColumns = [
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'user_id',
  'kind',
  'payment_kind',
  'currency',
  'amount_minor',
  'period',
  'document_id',
] as const;

export type SettledPostingRow = Pick<Tables['postings'], (typeof settledColumns)[number]>;

/** The first postings of a range. */
export const listPostingsInRange = (
  db: Db,
  { bank: { bankId }, first, last }: PostingRange,
  limit: number,
): Promise<SettledPostingRow[]> =>
  runPrepared(db, 'range of postings', { bankId, first, last, limit }, (bind) =>
    db
      .selectFrom('postings')
      .select(settledColumns)
      .where('bank_id', '=', bind<number>('bankId'))
      .where('posting_id', '>=', bind<number>('first'))
      .where('posting_id', '<=', bind<number>('last'))
      .orderBy('posting_id')
      .limit(bind<number>('limit')),
  );
