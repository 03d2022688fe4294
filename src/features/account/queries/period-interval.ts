// Finds the time that the postings of a settlement period span. Postings that arrive late make it longer than the period.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { TimeInterval } from '../rules/account-selection.ts';

/** Undefined if the period has no postings. */
export async function findPeriodInterval(
  db: Db,
  { bankId }: GrantedBank,
  storedPeriod: number,
): Promise<TimeInterval | undefined> {
  const rows = db
    .selectFrom('postings')
    .where('bank_id', '=', bankId)
    .where('period', '=', storedPeriod)
    .where(sql<SqlBool>`${db.dialect.interruptCheck(sql.ref('posting_id'))}`);
  const { first = null, last = null } =
    (await db
      .selectNoFrom([
        rows.select(({ fn }) => fn.min('recorded_at').as('first')).as('first'),
        rows.select(({ fn }) => fn.max('recorded_at').as('last')).as('last'),
      ])
      .executeTakeFirst()) ?? {};
  return first === null || last === null ? undefined : { from: first, to: last + 1 };
}
