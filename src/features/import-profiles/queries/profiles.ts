// Reads and writes the profiles of a tenant. Every version of a profile is kept; the latest is used.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';

type StoredProfile = Tables['import_profiles'];

/** The latest version; undefined if the tenant has none of this name. */
export const findStoredProfile = (db: Db, name: string): Promise<StoredProfile | undefined> =>
  db
    .selectFrom('import_profiles')
    .selectAll()
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The latest versions, in the order of their names. */
export const listStoredProfiles = (db: Db): Promise<Pick<StoredProfile, 'name' | 'version' | 'kind'>[]> =>
  db
    .selectFrom('import_profiles as p')
    .select(['p.name', 'p.version', 'p.kind'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('import_profiles as later')
            .select('later.version')
            .whereRef('later.name', '=', 'p.name')
            .whereRef('later.version', '>', 'p.version'),
        ),
      ),
    )
    .orderBy('p.name')
    .execute();

export const insertProfile = async (db: WriteDb, row: StoredProfile): Promise<void> => {
  await db.insertInto('import_profiles').values(row).execute();
};
