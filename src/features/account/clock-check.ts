// Checks the clock against what a tenant's ledgers have recorded, for readiness.

import type { Databases } from '../../database/databases.ts';
import type { TenantCheck } from '../../database/tenant-check.ts';
import { findLatestLedgerTimes } from './queries/ledger-times.ts';
import { isClockBehind } from './rules/recording-time.ts';

const deadlineMs = 1500;

/** `clock` is in MS2000. */
export function createClockCheck(databases: Databases, clock: () => number): TenantCheck {
  return async (tenant) => {
    const ledgerTimes = await databases
      .forTenant(tenant)
      .read({ deadlineMs }, findLatestLedgerTimes)
      // Why a database cannot be read its own checks tell.
      .catch(() => undefined);
    if (ledgerTimes === undefined || !isClockBehind(ledgerTimes, clock())) return undefined;
    return {
      tenant,
      ...databases.describeStorage(tenant),
      check: 'clock',
      problem: 'the clock of the service is behind what was recorded last',
      remedy: 'Set the clock of the machine right',
    };
  };
}
