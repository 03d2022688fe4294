// Counts the lines that wait for a manager, in all banks of a tenant, for the operator.

import type { Db } from '../../../database/db.ts';

export async function countWaitingLines(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('held_lines')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow();
  return count;
}
