// Checks whether the service is ready: whether each tenant can be served.

import type { Logger } from 'pino';
import type { FailedCheck } from '../../database/checks/diagnosis.ts';
import type { TenantCheck } from '../../database/checks/tenant-check.ts';
import { createPromiseCache } from '../../lib/caches/promise-cache.ts';

export type ReadinessDependencies = {
  readonly tenants: readonly string[];
  readonly checkTenant: TenantCheck;
  /** The application's logger, whose messages the live log shows. */
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

const maxAgeMs = 5000;
const cacheKey = 'all';

/**
 * Returns a function that returns the failing check of each tenant that cannot be served. Concurrent requests share one
 * run of the checks, and a run without failures counts for five seconds. A check is logged when it begins to fail.
 */
export function createReadinessCheck({
  tenants,
  checkTenant,
  log,
}: ReadinessDependencies): () => Promise<readonly FailedCheck[]> {
  /** The failing check by tenant. */
  let failing: ReadonlyMap<string, FailedCheck['check']> = new Map();
  const runs = createPromiseCache<readonly FailedCheck[], typeof cacheKey>({ max: 1, maxAgeMs });
  const runChecks = async (): Promise<readonly FailedCheck[]> => {
    const results = await Promise.all(tenants.map(checkTenant));
    const failed = results.filter((result) => result !== undefined);
    for (const each of failed)
      if (failing.get(each.tenant) !== each.check) logFailedCheck(log, each, 'the tenant cannot be served');
    const before = failing;
    failing = new Map(failed.map(({ tenant, check }) => [tenant, check]));
    for (const tenant of before.keys())
      if (!failing.has(tenant)) log.info({ tenant }, 'the tenant can be served again');
    return failed;
  };
  return async () => {
    const failed = await runs.get(cacheKey, runChecks);
    if (failed.length > 0) runs.delete(cacheKey);
    return failed;
  };
}

export function logFailedCheck(
  log: Pick<Logger, 'warn'>,
  { cause, ...failed }: FailedCheck,
  consequence: string,
): void {
  log.warn({ ...failed, ...(cause === undefined ? {} : { err: cause }) }, consequence);
}
