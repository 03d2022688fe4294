// Turns failures of storage into lines for the operator: which tenant, which file or schema, what failed, what helps.

import type { Databases } from '../database/databases.ts';
import { formatFailedCheck } from '../database/checks/diagnosis.ts';
import { StorageError } from '../database/errors.ts';
import { CommandError } from './command-error.ts';

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
export async function runForEachTenant(
  databases: Databases,
  tenants: readonly string[],
  work: (tenant: string) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const tenant of tenants) {
    try {
      await explainFailures(databases, tenant, () => work(tenant));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length > 0) throw new CommandError(failures.join('; '), 1);
}
