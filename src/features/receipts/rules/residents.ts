// Whether a resident's receipts can be seen by this manager.

import { Problem } from '../../../lib/problem.ts';
import type { Reach } from '../../../permissions/needs.ts';
import { identityCutoff } from '../../account/rules/identity.ts';

export type Resident = {
  readonly location_id: number | null;
  readonly deleted_at: number | null;
  readonly expired_at: number | null;
};

/** The manager's own RetentionDays alone show the deleted, for as long as they reach back; the expired are nobody. */
export function isVisible({ deleted_at, expired_at }: Resident, managerDays: number, now: number): boolean {
  if (expired_at !== null && expired_at <= now) return false;
  return deleted_at === null || deleted_at >= identityCutoff(managerDays, now);
}

/** Refuses a resident who is out of sight, and one who is in sight of too narrow a grant. */
export function admit<T extends Resident>(resident: T | undefined, reach: Reach, managerDays: number, now: number): T {
  const seen =
    resident !== undefined &&
    isVisible(resident, managerDays, now) &&
    (reach === 'all' || (resident.location_id !== null && reach?.has(resident.location_id) === true));
  if (!seen) throw new Problem('not-found', { detail: 'There is no such resident within reach.' });
  if (reach !== 'all') throw new Problem('forbidden', { detail: 'The operation needs a bank-wide grant.' });
  return resident;
}
