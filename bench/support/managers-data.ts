// Inserts ten thousand managers of a tenant before the service starts.

import { openDatabases } from '../../src/database/databases.ts';
import { insertManagers, type InsertManagerInput } from '../../src/features/managers/queries/insert-managers.ts';
import { permissionsOfRole, roleNames } from '../../src/permissions/roles.ts';

export const managerCount = 10_000;
const firstManagerId = 5001;
const batchSize = 500;

const givenNames = ['Ada', 'Bo', 'Cecilie', 'David', 'Emil', 'Freja', 'Gunnar', 'Hanne', 'Ida', 'Jens'];
const familyNames = ['Andersen', 'Berg', 'Christensen', 'Dahl', 'Eriksen', 'Friis', 'Holm', 'Iversen', 'Kjær'];

/** `directory` is that of the SQLite files. */
export async function insertManyManagers(directory: string): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  try {
    for (let from = 0; from < managerCount; from += batchSize)
      await databases.forTenant('sund').write({ deadlineMs: 60_000 }, (db) =>
        insertManagers(
          db,
          Array.from({ length: batchSize }, (_, more) => managerOf(from + more)),
        ),
      );
  } finally {
    await databases.close();
  }
}

/** One in two hundred has the family name that the benchmark searches for. */
function managerOf(at: number): InsertManagerInput {
  const family = at % 200 === 7 ? 'Zachariassen' : (familyNames[at % familyNames.length] ?? '');
  return {
    managerId: firstManagerId + at,
    userName: `manager${at}`,
    name: `${givenNames[Math.floor(at / 9) % givenNames.length] ?? ''} ${family}`,
    email: `manager${at}@example.org`,
    organisation: 'Housing association Elm',
    personIcon: 'person',
    passwordHash: 'none',
    credentialStamp: 'none',
    active: at % 20 !== 19,
    retentionDays: null,
    tabs: ['Account2'],
    permissions: [...permissionsOfRole(roleNames[at % roleNames.length] ?? 'None')],
    grants: [{ bankId: at % 3 === 0 ? 0 : 1001, locationId: 0 }],
  };
}
