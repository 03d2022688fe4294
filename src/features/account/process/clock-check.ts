// Checks for readiness that the clock is not behind the latest times in a tenant's ledgers and audit log.

import type { Databases } from '../../../database/databases.ts';
import type { Db } from '../../../database/db.ts';
import type { TenantCheck } from '../../../database/tenant-check.ts';
import { findLatestAuditTime } from '../../audit/queries/latest-entry.ts';
import { findLatestLedgerTimes } from '../queries/ledger-times.ts';
import { isClockBehind, type LedgerTimes } from '../rules/recording-time.ts';

const deadlineMs = 1500;

/** `clock` is in MS2000. */
export function createClockCheck(databases: Databases, clock: () => number): TenantCheck {
  return async (tenant) => {
    const recordedTimes = await databases
      .forTenant(tenant)
      .read({ deadlineMs }, findLatestRecordedTimes)
      // Other checks report why a database cannot be read.
      .catch(() => undefined);
    if (recordedTimes === undefined || !isClockBehind(recordedTimes, clock())) return undefined;
    return {
      tenant,
      ...databases.describeStorage(tenant),
      check: 'clock',
      problem: 'the clock of the service is behind the last recorded time',
      remedy: 'Set the clock of the machine right',
    };
  };
}

/** The times of the ledgers; what the audit log records counts as a write, too. */
async function findLatestRecordedTimes(db: Db): Promise<LedgerTimes> {
  const [{ openedAt, lastWriteAt }, auditedAt] = await Promise.all([
    findLatestLedgerTimes(db),
    findLatestAuditTime(db),
  ]);
  return { openedAt, lastWriteAt: Math.max(lastWriteAt, auditedAt) };
}
