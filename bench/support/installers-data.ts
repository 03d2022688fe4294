// Inserts as many installers as a large tenant has, before the service starts.

import { openDatabases } from '../../src/database/databases.ts';
import { installerNames, installerTags } from '../../demo/installers.ts';
import { insertInstallers, type NewInstaller } from '../../src/features/installers/queries/insert-installers.ts';

export const installerCount = 10_000;

/** `directory` is that of the SQLite files. */
export async function insertManyInstallers(directory: string): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  const database = databases.forTenant('sund');
  try {
    for (let at = 0; at < installerCount; at += 2500)
      await database.write({ deadlineMs: 60_000 }, (db) =>
        insertInstallers(
          db,
          Array.from({ length: 2500 }, (_, more) => createInstaller(at + more)),
        ),
      );
  } finally {
    await databases.close();
  }
}

/** One in two hundred has the name that the benchmark searches for. */
const createInstaller = (at: number): NewInstaller => ({
  installerId: 10_001 + at,
  name: `${at % 200 === 7 ? 'Zachariassen' : (installerNames[at % 12] ?? '')} ${at}`,
  email: `installer${at}@example.org`,
  phone: `+45 ${20_000_000 + at}`,
  organisation: `Demo Service ${at % 50}`,
  tags: [installerTags[at % 6] ?? '', installerTags[(at + 1) % 6] ?? ''],
  state: at % 10 === 9 ? 'disabled' : 'active',
  lastActivityAt: at * 1000,
  icon: 'person',
  locations: [
    { bankId: 1001, locationId: 1 + (at % 4) },
    { bankId: 1002, locationId: 1 + (at % 4) },
  ],
});
