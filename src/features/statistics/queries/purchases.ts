// Reads the purchases of all banks since an instant, in groups of equal coordinates.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { withoutIndex } from '../../../database/statements/without-index.ts';
import { firstResidentId, lastResidentId } from '../../../lib/kid.ts';
import type { PurchaseGroup } from '../rules/purchase-totals.ts';

/**
 * `after` is exclusive. The query names the banks, so that an index finds the postings of each since then: with a join,
 * MariaDB would read all of their postings. Only e and E count as E: patterns match accented letters literally, and on
 * MariaDB they are case-sensitive.
 */
export async function listPurchaseGroups(db: Db, after: number): Promise<PurchaseGroup[]> {
  const ledgers = await db.selectFrom('ledgers').select('bank_id').execute();
  if (ledgers.length === 0) return [];
  const bankIds = ledgers.map(({ bank_id }) => bank_id);
  const { highHalf, lowHalf } = db.dialect;
  const amount = sql.ref('p.amount_minor');
  return db
    .selectFrom('postings as p')
    .leftJoin('locations as l', onEqual('l', 'p', 'bank_id', 'location_id'))
    .select(['l.latitude', 'l.longitude'])
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number>`sum(${highHalf(amount)})`.as('amount_high'),
      sql<number>`sum(${lowHalf(amount)})`.as('amount_low'),
      fn.max<string>('p.currency').as('currency'),
    ])
    .where(db.dialect.inList(sql.ref('p.bank_id'), bankIds))
    .where('p.recorded_at', '>', after)
    .where(withoutIndex('p.user_id'), '>=', firstResidentId)
    .where(withoutIndex('p.user_id'), '<=', lastResidentId)
    .where('p.amount_minor', '<', 0)
    .where('p.text', 'not like', '%e')
    .where('p.text', 'not like', '%E')
    .where(db.dialect.interruptCheck(sql.ref('p.posting_id')))
    .groupBy(['l.latitude', 'l.longitude'])
    .execute();
}
