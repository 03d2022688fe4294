// Whether a resident's receipts can be seen by this manager.

import { Problem } from '../../../lib/problem.ts';
import type { Coverage } from '../../../permissions/coverage.ts';
import { computeIdentityCutoff } from './identity.ts';

export type ResidentState = {
  readonly location_id: number | null;
  readonly deleted_at: number | null;
  readonly expired_at: number | null;
};

/** The manager's own RetentionDays alone show the deleted, for as long as they reach back; the expired are nobody. */
export function isResidentVisible(
  { deleted_at, expired_at }: ResidentState,
  managerDays: number,
  now: number,
): boolean {
  if (expired_at !== null && expired_at <= now) return false;
  return deleted_at === null || deleted_at >= computeIdentityCutoff(managerDays, now);
}

/** Refuses a resident who is out of sight, and one who is in sight of too narrow a grant. */
export function requireVisibleResident<T extends ResidentState>(
  resident: T | undefined,
  coverage: Coverage | undefined,
  managerDays: number,
  now: number,
): T {
  const isInCoverage =
    resident !== undefined &&
    isResidentVisible(resident, managerDays, now) &&
    (coverage === 'all' || (resident.location_id !== null && coverage?.has(resident.location_id) === true));
  if (!isInCoverage) throw createResidentNotFoundProblem();
  if (coverage !== 'all') throw new Problem('forbidden', { detail: 'The operation needs a bank-wide grant.' });
  return resident;
}

/** The same for a resident who does not exist and for one who is not visible. */
export const createResidentNotFoundProblem = (): Problem =>
  new Problem('not-found', { detail: 'The resident does not exist or is not visible to this manager.' });
