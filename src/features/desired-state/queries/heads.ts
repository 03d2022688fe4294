// Reads how far the outboxes of banks have come.

import type { Db } from '../../../database/db.ts';

/** The last version of each bank. It says nothing of what is in the outbox, and so needs no grant. */
export async function readHeads(db: Db, bankIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('device_sync_heads')
    .select(['bank_id', 'queued'])
    .where(({ ref }) => db.dialect.inList(ref('bank_id'), bankIds))
    .execute();
  return new Map(rows.map(({ bank_id, queued }) => [bank_id, queued]));
}
