// Checks for readiness that the clock is not behind the latest times in a tenant's ledgers.

import type { Databases } from '../../../database/databases.ts';
import type { TenantCheck } from '../../../database/tenant-check.ts';
import { findLatestLedgerTimes } from '../queries/ledger-times.ts';
import { isClockBehind } from '../rules/recording-time.ts';

const deadlineMs = 1500;

/** `clock` is in MS2000. */
export function createClockCheck(databases: Databases, clock: () => number): TenantCheck {
  return async (tenant) => {
    const ledgerTimes = await databases
      .forTenant(tenant)
      .read({ deadlineMs }, findLatestLedgerTimes)
      // Other checks report why a database cannot be read.
      .catch(() => undefined);
    if (ledgerTimes === undefined || !isClockBehind(ledgerTimes, clock())) return undefined;
    return {
      tenant,
      ...databases.describeStorage(tenant),
      check: 'clock',
      problem: 'the clock of the service is behind the last recorded time',
      remedy: 'Set the clock of the machine right',
    };
  };
}
