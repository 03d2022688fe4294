// A resident's whole history, or what came to it, summed in the database.

import { sql, type SqlBool } from 'kysely';
import { beyondIndex } from '../../../database/beyond-index.ts';
import type { Db } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import type { HistoryShare } from '../rules/shares.ts';
import type { History } from '../rules/window.ts';

/** Of all postings with the id `from` or a later one. */
export function readShares(db: Db, history: History, from = 0): Promise<HistoryShare[]> {
  return runPrepared(db, 'receipts shares', { ...history, from }, (at) => sharesOf(db, at));
}

/** How many postings have the id `from` or a later one: nothing is read of them but an index. */
export async function countSince(
  db: Db,
  { bankId, userId }: Pick<History, 'bankId' | 'userId'>,
  from: number,
): Promise<number> {
  const [row] = await runPrepared(db, 'receipts since', { bankId, userId, from }, (at) =>
    ownPostings(db, at).select(({ fn }) => fn.countAll<number>().as('count')),
  );
  return row?.count ?? 0;
}

function ownPostings(db: Db, at: At) {
  return (
    db
      .selectFrom('postings')
      .where('bank_id', '=', at<number>('bankId'))
      .where('user_id', '=', at<number>('userId'))
      // Always so, but it leads to the index of a resident's postings.
      .where('recorded_at', '>=', sql.lit(Number.MIN_SAFE_INTEGER))
      .where(beyondIndex('posting_id'), '>=', at<number>('from'))
      .where(sql<SqlBool>`${db.words.stoppable(sql.ref('posting_id'))}`)
  );
}

function sharesOf(db: Db, at: At) {
  const { highHalf, lowHalf } = db.words;
  const [amount, fingerprint] = [sql.ref('amount_minor'), sql.ref('fingerprint')];
  const sum = (half: ReturnType<typeof highHalf>) => sql<number>`sum(${half})`;
  return ownPostings(db, at)
    .select([
      sql<number>`case when period >= ${at<number>('firstPeriod')} then period else 0 end`.as('of_period'),
      'currency',
      'kind',
      sql<number>`amount_minor > 0`.as('is_credit'),
      sql<number>`recorded_at >= ${at<number>('cutoff')}`.as('is_seen'),
    ])
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sum(highHalf(amount)).as('amount_high'),
      sum(lowHalf(amount)).as('amount_low'),
      sum(highHalf(fingerprint)).as('fingerprint_high'),
      sum(lowHalf(fingerprint)).as('fingerprint_low'),
      sql<number>`sum(octet_length(text))`.as('text_bytes'),
      fn.max<number>('recorded_at').as('latest'),
    ])
    .groupBy(['of_period', 'currency', 'kind', 'is_credit', 'is_seen']);
}
