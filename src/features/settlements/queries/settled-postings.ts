// The postings of a settlement period. Ids have no gaps and periods follow one another, so they are one run of ids,
// which is how they are read: straight through the table, in the order in which they were recorded.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PartialSum } from '../../account/rules/rollups.ts';

/** Both ends are of the run. */
export type PostingRange = { readonly first: number; readonly last: number };

export type KindPartialSum = PartialSum & { readonly kind: number };

/** The sums of a run by kind. */
export async function listKindPartialSums(
  db: Db,
  bankId: number,
  { first, last }: PostingRange,
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

/** The postings of a run, from an id on. */
export const listPostingsInRange = (
  db: Db,
  bankId: number,
  { first, last }: PostingRange,
  limit: number,
): Promise<SettledPostingRow[]> =>
  runPrepared(db, 'run of postings', { bank: bankId, first, last, limit }, (at) =>
    db
      .selectFrom('postings')
      .select(settledColumns)
      .where('bank_id', '=', at<number>('bank'))
      .where('posting_id', '>=', at<number>('first'))
      .where('posting_id', '<=', at<number>('last'))
      .orderBy('posting_id')
      .limit(at<number>('limit')),
  );
