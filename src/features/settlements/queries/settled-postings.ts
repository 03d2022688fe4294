// Reads the postings of a settlement period as a range of ids, which is the order of the table.

import { sumHalves } from '../../account/queries/posting-sums.ts';
import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import { guestId } from '../../../lib/kid.ts';
import type { PartialSum } from '../../account/rules/rollups.ts';
import type { PostingRange } from '../rules/posting-range.ts';

type KindPartialSum = PartialSum & { readonly kind: number };

const selectRange = (db: Db, { bank: { bankId }, first, last }: PostingRange) =>
  db
    .selectFrom('postings')
    .where('bank_id', '=', bankId)
    .where('posting_id', '>=', first)
    .where('posting_id', '<=', last)
    .where(sql<SqlBool>`${db.dialect.interruptCheck(sql.ref('posting_id'))}`);

/** The sums of the postings by kind. */
export const listKindPartialSums = (db: Db, range: PostingRange): Promise<KindPartialSum[]> =>
  selectRange(db, range)
    .select(['kind', 'currency'])
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      ...sumHalves(db, 'amount', 'amount_minor'),
      sql<number>`0`.as('fingerprint_high'),
      sql<number>`0`.as('fingerprint_low'),
    ])
    .groupBy(['kind', 'currency', sql`amount_minor < 0`])
    .execute();

export type ResidentKindSum = Pick<
  Tables['resident_rollups'],
  'user_id' | 'currency' | 'kind' | 'is_credit' | 'amount_high' | 'amount_low' | 'earliest' | 'latest'
>;

const isCredit = sql<number>`case when amount_minor > 0 then 1 else 0 end`;

/** The sums of the postings by resident, currency, kind and sign, in the order of the residents and the currencies. */
export const listResidentKindSums = (db: Db, range: PostingRange): Promise<ResidentKindSum[]> =>
  selectRange(db, range)
    .select(['user_id', 'currency', 'kind'])
    .select(({ fn }) => [
      isCredit.as('is_credit'),
      ...sumHalves(db, 'amount', 'amount_minor'),
      fn.min<number>('recorded_at').as('earliest'),
      fn.max<number>('recorded_at').as('latest'),
    ])
    .where('user_id', '>', guestId)
    .groupBy(['user_id', 'currency', 'kind', isCredit])
    .orderBy('user_id')
    .orderBy('currency')
    .orderBy('kind')
    .orderBy(isCredit)
    .execute();

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
