// Checks whether the service is ready: every tenant's database is migrated, can be written to, and has safe settings.

import type { FastifyBaseLogger } from 'fastify';
import type { Databases } from '../../database/databases.ts';
import { Problem } from '../../lib/problem.ts';
import { createPromiseCache } from '../../lib/promise-cache.ts';

export type ReadinessDependencies = {
  readonly tenants: readonly string[];
  readonly databases: Databases;
  readonly databaseAccess: { getAccess(tenant: string, maxAgeMs?: number): string | Promise<string> };
};

const maxAgeMs = 5000;
const deadlineMs = 2000;

type ReadinessCheck = { readonly name: string; readonly passes: (tenant: string) => Promise<boolean> };

/**
 * Returns a function that throws `not-ready` with the name of the failing check. Requests at the same time share one
 * run of the checks, and a run that passed counts for five seconds.
 */
export function createReadinessCheck(dependencies: ReadinessDependencies, log: FastifyBaseLogger): () => Promise<void> {
  const { tenants } = dependencies;
  const checks = createChecks(dependencies, log);
  const runs = createPromiseCache<'passed'>({ max: 1, maxAgeMs });
  const runChecks = async (): Promise<'passed'> => {
    for (const { name, passes } of checks) {
      const passed = await Promise.all(tenants.map(passes)).catch((error: unknown) => {
        log.warn({ err: error, check: name }, 'readiness check failed');
        return [false];
      });
      if (!passed.every(Boolean)) throw new Problem('not-ready', { detail: name });
    }
    return 'passed';
  };
  return async () => void (await runs.get('all', runChecks));
}

function createChecks({ databases, databaseAccess }: ReadinessDependencies, log: FastifyBaseLogger): ReadinessCheck[] {
  // A database that was migrated stays so while the process runs.
  const migratedTenants = new Set<string>();
  const isMigrated = async (tenant: string): Promise<boolean> => {
    if (migratedTenants.has(tenant)) return true;
    const complete = (await databases.listPendingMigrations(tenant)).length === 0;
    if (complete) migratedTenants.add(tenant);
    return complete;
  };
  const canBeWritten = async (tenant: string): Promise<boolean> =>
    (await databaseAccess.getAccess(tenant, maxAgeMs)) === 'ReadWrite';
  const hasSafeSettings = async (tenant: string): Promise<boolean> => {
    const unsafe = await databases.forTenant(tenant).read({ deadlineMs }, (db) => db.dialect.listUnsafeSettings(db));
    if (unsafe.length > 0)
      log.warn({ tenant, unsafe }, 'the database server has settings that are unsafe for the ledger');
    return unsafe.length === 0;
  };
  return [
    { name: 'migrations', passes: isMigrated },
    { name: 'database', passes: canBeWritten },
    { name: 'storage-settings', passes: hasSafeSettings },
  ];
}
