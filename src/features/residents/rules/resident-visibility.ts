// Decides whether a manager may see a resident, and whether a resident is gone.

import type { Tables } from '../../../database/tables.ts';
import { guestId } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { createTooNarrowProblem, type Coverage } from '../../../permissions/coverage.ts';
import { computeRetentionCutoff } from '../../../lib/time/retention-cutoff.ts';

export type ResidentVisibilityRow = Pick<Tables['residents'], 'location_id' | 'deleted_at' | 'expired_at'>;

/** A deleted resident is visible for the manager's own RetentionDays; an expired one never is. */
export function isResidentVisible(
  { deleted_at, expired_at }: ResidentVisibilityRow,
  managerDays: number,
  now: number,
): boolean {
  if (expired_at !== null && expired_at <= now) return false;
  return deleted_at === null || deleted_at >= computeRetentionCutoff(managerDays, now);
}

/** Throws 404 if the resident does not exist, is not visible or belongs to a location that is not covered. */
export function requireCoveredResident<T extends ResidentVisibilityRow>(
  resident: T | undefined,
  coverage: Coverage | undefined,
  managerDays: number,
  now: number,
): T {
  const isCovered =
    resident !== undefined &&
    isResidentVisible(resident, managerDays, now) &&
    (coverage === 'all' || (resident.location_id !== null && coverage?.has(resident.location_id) === true));
  if (!isCovered) throw createResidentNotFoundProblem();
  return resident;
}

/**
 * Requires a visible resident of a bank that must be granted as a whole. Throws 403 if only some of its locations are
 * granted.
 */
export function requireVisibleResident<T extends ResidentVisibilityRow>(
  resident: T | undefined,
  coverage: Coverage | undefined,
  managerDays: number,
  now: number,
): T {
  const covered = requireCoveredResident(resident, coverage, managerDays, now);
  if (coverage !== 'all') throw createTooNarrowProblem();
  return covered;
}

/** A resident who does not exist and one who is not visible get the same answer. */
export const createResidentNotFoundProblem = (): Problem =>
  new Problem('not-found', { detail: 'The resident does not exist or is not visible to this manager.' });

type UserColumns = {
  readonly user_id: number;
  readonly resident_name: string | null;
  readonly resident_deleted_at: number | null;
  readonly resident_expired_at: number | null;
};

/** Whether the user of a record is no longer a resident. The guest is never gone, the GDPR user always is. */
export function isResidentGone(row: UserColumns, now: number): boolean {
  if (row.user_id === guestId) return false;
  const { resident_name, resident_deleted_at, resident_expired_at } = row;
  return resident_name === null || resident_deleted_at !== null || (resident_expired_at ?? Infinity) <= now;
}
