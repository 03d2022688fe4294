// Checks for readiness that the clock is not behind the latest times in a tenant's ledgers and audit log.

import type { Databases } from '../../../database/databases.ts';
import type { Db } from '../../../database/db.ts';
import type { TenantCheck } from '../../../database/checks/tenant-check.ts';
import { findLatestAuditTime } from '../../audit/queries/audit-page.ts';
import { findLatestLedgerTimes } from '../queries/ledger-head.ts';
import { isClockBehind } from '../../../lib/time/recording-time.ts';
import { latestTimeOf } from '../rules/posting-draft.ts';

const deadlineMs = 1500;

/** `clock` is in MS2000. */
export const createClockCheck =
  (databases: Databases, clock: () => number): TenantCheck =>
  async (tenant) => {
    const latest = await databases
      .forTenant(tenant)
      .read({ deadlineMs }, findLatestRecordedTime)
      // Other checks report why a database cannot be read.
      .catch(() => undefined);
    if (latest === undefined || !isClockBehind(latest, clock())) return undefined;
    return {
      tenant,
      ...databases.describeStorage(tenant),
      check: 'clock',
      problem: 'the clock of the service is behind the last recorded time',
      remedy: 'Set the clock of the machine right',
    };
  };

async function findLatestRecordedTime(db: Db): Promise<number> {
  const [ledgerTimes, auditedAt] = await Promise.all([findLatestLedgerTimes(db), findLatestAuditTime(db)]);
  return Math.max(latestTimeOf(ledgerTimes), auditedAt);
}
