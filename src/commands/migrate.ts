// `migrate`: brings every tenant's database to the current schema.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import { runForEachTenant } from './storage-failures.ts';

export async function migrateTenants(config: Config): Promise<void> {
  const databases = openDatabases(config.storage);
  try {
    const tenants = config.tenants.map(({ name }) => name);
    await runForEachTenant(databases, tenants, async (name) => {
      const ran = await databases.migrate(name);
      process.stdout.write(`${name}: ${ran.length === 0 ? 'up to date' : ran.join(', ')}\n`);
    });
  } finally {
    await databases.close();
  }
}
