// Decides whether a tenant is ready: its storage can be read and written, and its clock is not behind.

import type { DatabaseAccessIndicator } from './database/checks/database-access.ts';
import { createTenantCheck, type TenantCheck } from './database/checks/tenant-check.ts';
import { createClockCheck } from './features/account/process/clock-check.ts';
import { toMs2000 } from './lib/time/ms2000.ts';
import type { Dependencies } from './dependencies.ts';

export function createTenantReadiness(
  { databases, clock }: Dependencies,
  databaseAccess: DatabaseAccessIndicator,
): TenantCheck {
  const checkStorage = createTenantCheck(databases, databaseAccess);
  const checkClock = createClockCheck(databases, () => toMs2000(clock()));
  return async (tenant) => {
    const [storageFailure, clockFailure] = await Promise.all([checkStorage(tenant), checkClock(tenant)]);
    return storageFailure ?? clockFailure;
  };
}
