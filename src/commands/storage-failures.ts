// Opens the databases for a command, and turns failures of storage into lines for the operator: which tenant, which file or
// schema, what failed, what helps.

import type { Config } from '../config.ts';
import { formatFailedCheck } from '../database/checks/diagnosis.ts';
import { openDatabases, type Databases } from '../database/databases.ts';
import { StorageError } from '../database/errors.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import type { Tenant } from '../tenants.ts';
import { CommandError } from './command-error.ts';

/** Closes the databases after the work. */
export async function withDatabases<T>({ storage }: Config, work: (databases: Databases) => Promise<T>): Promise<T> {
  const databases = openDatabases(storage);
  try {
    return await work(databases);
  } finally {
    await databases.close();
  }
}

/** Works on the database of a tenant. Throws CommandError where that fails because of the database. */
export const withTenant = <T>(
  config: Config,
  tenant: string,
  work: (database: TenantDatabase) => Promise<T>,
): Promise<T> =>
  withDatabases(config, (databases) => explainFailures(databases, tenant, () => work(databases.forTenant(tenant))));

/** As `withTenant`, and says so where it is not known whether the work was done: `done` says what it does. */
export async function changeTenant<T>(
  config: Config,
  { tenant, done }: { readonly tenant: string; readonly done: string },
  work: (database: TenantDatabase) => Promise<T>,
): Promise<T> {
  try {
    return await withTenant(config, tenant, work);
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    throw new CommandError(`it is not known whether ${done}: check before you run it again`, 1);
  }
}

/** Throws CommandError where `work` fails because of the tenant's database, unless its outcome is unknown. */
export async function explainFailures<T>(databases: Databases, tenant: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOutcomeUnknown(error)) throw error;
    const failed = databases.diagnose(tenant, error);
    throw failed === undefined ? error : new CommandError(formatFailedCheck(failed), 1);
  }
}

export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof StorageError && error.failure === 'outcome-unknown';

/** Runs the work for each tenant, also after a failure. Throws one CommandError that names all failures. */
export const runForEachTenant = (
  config: Config,
  tenants: readonly Tenant[],
  work: (tenant: Tenant, database: TenantDatabase, databases: Databases) => Promise<void>,
): Promise<void> =>
  withDatabases(config, async (databases) => {
    const failures: string[] = [];
    for (const tenant of tenants) {
      try {
        const { name } = tenant;
        await explainFailures(databases, name, () => work(tenant, databases.forTenant(name), databases));
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        failures.push(error.message);
      }
    }
    if (failures.length > 0) throw new CommandError(failures.join('; '), 1);
  });
