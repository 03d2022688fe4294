// Deletes the notes of all units, so that each has its first revision.

import { openDatabases } from '../../src/database/databases.ts';

/** Each value differs from all values written before. */
export async function deleteNotes(directory: string): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  await databases.forTenant('sund').write({ deadlineMs: 60_000 }, async (db) => {
    await db.deleteFrom('unit_settings').where('name', '=', 'Note').execute();
  });
  await databases.close();
}
