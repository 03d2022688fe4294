// The postings behind receipts: what groups them, and then, for the few that are shown, what they say.

import { sql, type SqlBool } from 'kysely';
import { beyondIndex } from '../../../database/beyond-index.ts';
import type { Db } from '../../../database/dialect.ts';
import { runPrepared } from '../../../database/prepared.ts';
import { kindCode } from '../../account/rules/kinds.ts';
import type { Posting } from '../rules/grouping.ts';
import type { History } from '../rules/window.ts';

const columns = [
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'kind',
  'payment_kind',
  'currency',
  'amount_minor',
  'period',
  'document_id',
] as const;

/** Postings shown, monthly lines left out, in the order of the account's rows. */
export function listHistory(
  db: Db,
  history: History,
  page: { readonly offset: number; readonly limit: number },
): Promise<Posting[]> {
  return runPrepared(db, 'receipts history', { ...history, ...page }, (at) =>
    db
      .selectFrom('postings')
      .select(columns)
      .where('bank_id', '=', at<number>('bankId'))
      .where('user_id', '=', at<number>('userId'))
      .where('recorded_at', '>=', at<number>('cutoff'))
      .where(beyondIndex('period'), '>=', at<number>('firstPeriod'))
      .where('kind', '<>', sql.lit(kindCode('Month')))
      .where(sql<SqlBool>`${db.words.stoppable(sql.ref('posting_id'))}`)
      .orderBy('recorded_at', 'desc')
      .orderBy('location_id')
      .orderBy('unit_id')
      .orderBy('posting_id', 'desc')
      .limit(at<number>('limit'))
      .offset(at<number>('offset')),
  );
}

export type Words = { readonly text: string; readonly unit_name: string | null };

/** What the postings of a span of time say and where they were made, by their ids; both ends belong to it. */
export async function readWords(
  db: Db,
  history: History,
  span: { readonly from: number; readonly through: number },
): Promise<ReadonlyMap<number, Words>> {
  const rows = await runPrepared(db, 'receipts words', { ...history, ...span }, (at) =>
    db
      .selectFrom('postings as p')
      .leftJoin('units as u', (join) =>
        join
          .onRef('u.bank_id', '=', 'p.bank_id')
          .onRef('u.location_id', '=', 'p.location_id')
          .onRef('u.unit_id', '=', 'p.unit_id'),
      )
      .select(['p.posting_id', 'p.text', 'u.name as unit_name'])
      .where('p.bank_id', '=', at<number>('bankId'))
      .where('p.user_id', '=', at<number>('userId'))
      .where('p.recorded_at', '>=', at<number>('from'))
      .where(beyondIndex('p.recorded_at'), '<=', at<number>('through'))
      .where(beyondIndex('p.period'), '>=', at<number>('firstPeriod'))
      .where(sql<SqlBool>`${db.words.stoppable(sql.ref('p.posting_id'))}`),
  );
  return new Map(rows.map(({ posting_id, ...words }) => [posting_id, words]));
}
