// How long an account shows whose postings they are.

import { gdprUserId } from '../../../lib/kid.ts';

const dayMs = 86_400_000;

/** A positive value of the manager overrides the tenant's; none or zero of both keeps no identity. */
export function chooseRetentionDays(tenantDays: number, managerDays: number): number {
  if (managerDays > 0) return managerDays;
  // A setting that is no number keeps none either.
  return tenantDays > 0 ? tenantDays : 0;
}

/**
 * Postings before this instant (MS2000) are shown without identity. It moves once a day, so that a set's showing is
 * steady between; an identity is kept for at least the days configured.
 */
export function computeIdentityCutoff(retentionDays: number, now: number): number {
  return retentionDays <= 0 ? Number.POSITIVE_INFINITY : (Math.floor(now / dayMs) - retentionDays) * dayMs;
}

type IdentifiedRecord = {
  readonly recorded_at: number;
  readonly user_id: number;
  readonly resident_expired_at: number | null;
};

export function isAnonymized(
  { recorded_at, user_id, resident_expired_at }: IdentifiedRecord,
  cutoff: number,
  now: number,
): boolean {
  const expired = resident_expired_at !== null && resident_expired_at <= now;
  return user_id === gdprUserId || recorded_at < cutoff || expired;
}

/** What tells two showings of the same postings apart: where in the interval the cutoff lies. */
export function formatCutoffState(cutoff: number, from: number, to: number): string {
  if (cutoff <= from) return 'named';
  return cutoff >= to ? 'unnamed' : String(cutoff);
}
