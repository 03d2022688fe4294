// Counts the residents with a posting since an instant.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { firstResidentId, lastResidentId } from '../../../lib/kid.ts';

/** The lowest id of a bank. */
const firstBankId = 1000;

/**
 * `after` is exclusive. Reads only the latest posting of each resident, which is the resident's first in an index; with
 * EXISTS, MariaDB might read all postings since then.
 */
export async function countActiveUsers(db: Db, after: number): Promise<number> {
  const { count } = await db
    .selectFrom('residents as r')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('r.bank_id', '>=', firstBankId)
    .where('r.resident_id', '>=', firstResidentId)
    .where('r.resident_id', '<=', lastResidentId)
    .where(db.dialect.interruptCheck(sql.ref('r.resident_id')))
    .where(
      (eb) =>
        eb
          .selectFrom('postings as p')
          .select('p.recorded_at')
          .whereRef('p.bank_id', '=', 'r.bank_id')
          .whereRef('p.user_id', '=', 'r.resident_id')
          .orderBy('p.recorded_at', 'desc')
          .limit(1),
      '>',
      after,
    )
    .executeTakeFirstOrThrow();
  return count;
}
