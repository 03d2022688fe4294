// `migrate`: brings every tenant's database to the current schema, or says beforehand what that takes.

import type { Config } from '../../config.ts';
import { isAdditive, knownMigrations } from '../../database/migrate.ts';
import { runForEachTenant } from '../storage-failures.ts';

type MigrateOptions = {
  /** Changes nothing, and prints what the command would do. */
  readonly plan?: boolean;
};

export async function migrateTenants(config: Config, { plan = false }: MigrateOptions): Promise<void> {
  await runForEachTenant(config, config.tenants, async ({ name }, _database, databases) => {
    const text = plan
      ? formatPlan((await databases.compareSchema(name)).missing)
      : formatNames(await databases.migrate(name));
    process.stdout.write(`${name}: ${text}\n`);
  });
}

const formatNames = (names: readonly string[]): string => (names.length === 0 ? 'up to date' : names.join(', '));

function formatPlan(missing: readonly string[]): string {
  if (missing.length === 0) return 'up to date';
  if (missing.length === knownMigrations.length) return 'everything is created';
  const consequence = missing.every(isAdditive)
    ? 'replicas of the version before can go on: update them one after the other'
    : 'replicas of the version before cannot go on: stop all of them first';
  return `${formatNames(missing)}; ${consequence}`;
}
