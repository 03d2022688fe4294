// Reads and writes the profiles of a tenant.

import type { Db } from '../../../database/db.ts';

/** The latest version, as JSON; undefined if the tenant has none of this name. */
export async function findStoredProfile(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('import_profiles')
    .select('document')
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.document;
}
