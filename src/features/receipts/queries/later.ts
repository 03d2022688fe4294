// How much a resident's balances moved after each of a few instants.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import { joinInt64, type Int64 } from '../../../lib/int64.ts';
import { pageReceipts } from '../rules/window.ts';

export type Later = (currency: string, instant: number) => bigint;

/** What all stored postings recorded after an instant come to, for each of those given: one a receipt of a page. */
export async function readLater(
  db: Db,
  { bankId, userId }: { readonly bankId: number; readonly userId: number },
  instants: readonly number[],
): Promise<Later> {
  const cuts = [...new Set(instants)].toSorted((a, b) => b - a);
  const oldest = cuts.at(-1);
  if (oldest === undefined) return () => 0n;
  const slots = Array.from({ length: pageReceipts }, (_, at) => [`cut${at}`, cuts[at] ?? oldest]);
  const values = { bankId, userId, oldest, ...Object.fromEntries(slots) };
  const rows: readonly Moved[] = await runPrepared(db, 'receipts later', values, (at) => laterQuery(db, at));
  return (currency, instant) => {
    const upTo = cuts.indexOf(instant);
    return rows
      .filter((row) => row.currency === currency && row.stretch <= upTo)
      .reduce((sum, { amount_high, amount_low }) => sum + joinInt64(amount_high, amount_low), 0n);
  };
}

type Moved = {
  readonly currency: string;
  readonly stretch: number;
  readonly amount_high: Int64;
  readonly amount_low: Int64;
};

/** Sums of the stretches of time between one instant and the next. */
function laterQuery(db: Db, at: At) {
  const { highHalf, lowHalf } = db.words;
  const amount = sql.ref('amount_minor');
  const cases = Array.from(
    { length: pageReceipts },
    (_, index) => sql`when recorded_at > ${at<number>(`cut${index}`)} then ${sql.lit(index)}`,
  );
  return db
    .selectFrom('postings')
    .where('bank_id', '=', at<number>('bankId'))
    .where('user_id', '=', at<number>('userId'))
    .where('recorded_at', '>', at<number>('oldest'))
    .where(sql<SqlBool>`${db.words.stoppable(sql.ref('posting_id'))}`)
    .select(['currency', sql<number>`case ${sql.join(cases, sql` `)} end`.as('stretch')])
    .select([
      sql<number>`sum(${highHalf(amount)})`.as('amount_high'),
      sql<number>`sum(${lowHalf(amount)})`.as('amount_low'),
    ])
    .groupBy(['currency', 'stretch']);
}
