// Counts what an actor has done lately.

import type { Db } from '../../../database/db.ts';
import type { AuditContext } from '../rules/audit-context.ts';

/** How many entries the actor's operation has since this time, MS2000. */
export async function countEntriesSince(
  db: Db,
  { kind, id, operation }: Pick<AuditContext, 'kind' | 'id' | 'operation'>,
  since: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('actor_kind', '=', kind)
    .where('actor_id', '=', id)
    .where('operation', '=', operation)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}
