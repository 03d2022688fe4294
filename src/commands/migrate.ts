// `migrate`: brings every tenant's database to the current schema.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';

export async function migrateTenants(config: Config): Promise<void> {
  const databases = openDatabases(config.storage);
  try {
    for (const { name } of config.tenants) {
      const ran = await databases.migrate(name);
      process.stdout.write(`${name}: ${ran.length === 0 ? 'up to date' : ran.join(', ')}\n`);
    }
  } finally {
    await databases.close();
  }
}
