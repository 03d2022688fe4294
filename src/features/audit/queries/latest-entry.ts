// Reads when the audit log of a tenant was last written to.

import type { Db } from '../../../database/db.ts';

/** The latest time of all chains, MS2000; 0 if nothing is recorded yet. An index by time holds it. */
export async function findLatestAuditTime(db: Db): Promise<number> {
  const { latest } = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => fn.max('at').as('latest'))
    .executeTakeFirstOrThrow();
  // Null if there is no entry yet.
  return latest ?? 0;
}
