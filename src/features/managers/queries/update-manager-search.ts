// Updates the search words and the sort key of a manager.

import type { WriteDb } from '../../../database/db.ts';
import { listManagerWords } from '../rules/manager-search.ts';
import { formatSortKey } from '../../../lib/text/search-words.ts';

/** Called by every transaction that has changed the name, the email address or the organisation of a manager. */
export async function updateManagerSearch(db: WriteDb, managerId: number): Promise<void> {
  const manager = await db
    .selectFrom('managers')
    .select(['name', 'email', 'organisation'])
    .where('manager_id', '=', managerId)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('managers')
    .set({ name_key: formatSortKey(manager.name) })
    .where('manager_id', '=', managerId)
    .execute();
  await db.deleteFrom('manager_words').where('manager_id', '=', managerId).execute();
  const words = listManagerWords({ ...manager, managerId });
  await db
    .insertInto('manager_words')
    .values(words.map((word) => ({ word, manager_id: managerId })))
    .execute();
}
