// Locks the rights of all managers of a tenant.

import type { WriteDb } from '../../../database/db.ts';

/**
 * After the lock of the audit log the first statement of every transaction that changes what managers may do, or who of
 * them is active. Decisions over several managers (who is the only one with the whole tenant, whether anyone is left to
 * administer it) would otherwise be made twice, on two nodes of a cluster, from the same state.
 */
export async function lockManagerRights(db: WriteDb): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('manager_heads')
    .set(({ eb }) => ({ rights_version: eb('rights_version', '+', 1) }))
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Error('the row that locks the rights of managers is missing');
}
