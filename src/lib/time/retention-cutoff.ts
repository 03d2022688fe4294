// Computes from when on records are within a retention in days.

import { dayMs } from './durations.ts';

/**
 * The instant from which records are within the retention; Infinity for zero days. It is the start of a UTC day, so it
 * changes once a day, and records are retained for at least the days given.
 */
export function computeRetentionCutoff(retentionDays: number, now: number): number {
  return retentionDays <= 0 ? Number.POSITIVE_INFINITY : (Math.floor(now / dayMs) - retentionDays) * dayMs;
}

/**
 * Records that were deleted before are hidden from a manager with these RetentionDays; for queries, so never Infinity.
 */
export const computeDeletedSince = (managerDays: number, now: number): number =>
  Math.min(computeRetentionCutoff(managerDays, now), hideDeleted);

/** Later than any record can have been deleted. */
export const hideDeleted = Number.MAX_SAFE_INTEGER;
