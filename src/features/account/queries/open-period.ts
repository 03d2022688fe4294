// Reads the state of a ledger's open settlement period.

import type { Db } from '../../../database/db.ts';
import type { LedgerHead } from './ledger-head.ts';

/** Whether the open period has a posting: if so, it has the last one of the ledger. */
export async function hasPostingsInOpenPeriod(
  db: Db,
  { bankId, nextPostingId, openPeriod }: LedgerHead,
): Promise<boolean> {
  const lastPosting = await db
    .selectFrom('postings')
    .select('period')
    .where('bank_id', '=', bankId)
    .where('posting_id', '=', nextPostingId - 1)
    .executeTakeFirst();
  return lastPosting?.period === openPeriod;
}
