// Checks whether a tenant can be served: its database answers, has the current schema, can be written to, and has safe
// settings.

import type { DatabaseAccessIndicator } from './database-access.ts';
import type { Databases } from '../databases.ts';
import { isAdditive } from '../migrate.ts';
import { SchemaError, type Diagnosis, type FailedCheck } from './diagnosis.ts';
import { StorageError } from '../errors.ts';
import { withTimeout } from '../with-timeout.ts';

/** The first check that fails; undefined where all pass. */
export type TenantCheck = (tenant: string) => Promise<FailedCheck | undefined>;

/** The maximum age of what is known about whether a database can be written to. */
const maxAgeMs = 5000;
/** So that an answer that waits for the checks comes within two seconds. */
const defaultDeadlineMs = 1500;
/** A check is stopped at its deadline. This is how much longer the service waits for one that does not stop. */
const graceMs = 150;

const unwritable: Diagnosis = {
  check: 'database',
  problem: 'it answers reads, and no writes',
  remedy: 'Look for a process or session that holds its write lock',
};

/** A check that failed with what is known about it. */
class CheckError extends Error {
  readonly diagnosis: Diagnosis;

  constructor(diagnosis: Diagnosis) {
    super(diagnosis.problem);
    this.diagnosis = diagnosis;
  }
}

export function createTenantCheck(
  databases: Databases,
  databaseAccess: DatabaseAccessIndicator,
  deadlineMs = defaultDeadlineMs,
): TenantCheck {
  return async (tenant) => {
    const checks = [
      checkSchema(databases, tenant, deadlineMs),
      checkWriting(databaseAccess, tenant),
      checkSettings(databases, tenant, deadlineMs),
    ];
    const results = await Promise.allSettled(
      checks.map((check) => withTimeout(deadlineMs + graceMs, 'timeout', check)),
    );
    for (const result of results)
      if (result.status === 'rejected') return describeFailure(databases, tenant, result.reason);
    return undefined;
  };
}

async function checkSchema(databases: Databases, tenant: string, deadlineMs: number): Promise<void> {
  const difference = await databases.compareSchema(tenant, deadlineMs);
  const { missing, unknown, isRestoring, isBeingFilled } = difference;
  const incompatible = [...missing, ...unknown.filter((name) => !isAdditive(name))];
  if (incompatible.length > 0 || isRestoring || isBeingFilled) throw new SchemaError(difference);
}

async function checkWriting(databaseAccess: DatabaseAccessIndicator, tenant: string): Promise<void> {
  const { access, error } = await databaseAccess.probe(tenant, maxAgeMs);
  if (access === 'ReadWrite') return;
  throw access === 'ReadOnly' && isTimeout(error) ? new CheckError(unwritable) : error;
}

async function checkSettings(databases: Databases, tenant: string, deadlineMs: number): Promise<void> {
  const unsafe = await databases.forTenant(tenant).read({ deadlineMs }, (db) => db.dialect.listUnsafeSettings(db));
  if (unsafe.length === 0) return;
  throw new CheckError({
    check: 'storage-settings',
    problem: `settings of the server are unsafe for the ledger: ${unsafe.join(', ')}`,
    remedy: 'Set them as docs/operating.md says, under "Storage"',
  });
}

const isTimeout = (error: unknown): boolean => error instanceof StorageError && error.failure === 'timeout';

function describeFailure(databases: Databases, tenant: string, error: unknown): FailedCheck {
  if (error instanceof CheckError) return { tenant, ...databases.describeStorage(tenant), ...error.diagnosis };
  const failed = databases.diagnose(tenant, error);
  if (failed !== undefined) return failed;
  // A defect, or an unknown error of storage.
  return {
    tenant,
    ...databases.describeStorage(tenant),
    check: 'database',
    problem: 'it cannot be used',
    remedy: 'Look at the log of the service',
    cause: error,
  };
}
