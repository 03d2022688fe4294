// Reads when the ledgers of a tenant were written to.

import type { Db } from '../../../database/db.ts';
import type { LedgerTimes } from '../rules/latest-time.ts';

/** The latest times of all ledgers. */
export async function findLatestLedgerTimes(db: Db): Promise<LedgerTimes> {
  const { openedAt, lastWriteAt } = await db
    .selectFrom('ledgers')
    .select(({ fn }) => [fn.max('opened_at').as('openedAt'), fn.max('last_write_at').as('lastWriteAt')])
    .executeTakeFirstOrThrow();
  // Null if there is no ledger yet.
  return { openedAt: openedAt ?? 0, lastWriteAt: lastWriteAt ?? 0 };
}
