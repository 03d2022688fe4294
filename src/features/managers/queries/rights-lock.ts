// Locks the rights of all managers of a tenant.

import type { WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';

/**
 * Every write that changes the rights or the activity of managers declares it. Otherwise two nodes of a cluster could
 * decide from the same state who is the only manager with a tenant-wide grant, or whether anybody is left to administer
 * the tenant.
 */
export const managerRightsLock = (): Lock<void> => createLock('manager-rights', [], { update: incrementRightsVersion });

async function incrementRightsVersion(db: WriteDb): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('manager_heads')
    .set(({ eb }) => ({ rights_version: eb('rights_version', '+', 1) }))
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Error('the row that locks the rights of managers is missing');
}
