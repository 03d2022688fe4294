// Decides which records show the identity of their user, and by which users records can be searched for.

import { gdprUserId } from '../../../lib/kid.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { computeRetentionCutoff } from '../../../lib/time/retention-cutoff.ts';

/** Which identities one manager sees at one time. */
export type IdentityVisibility = {
  /** Records before this instant (MS2000) are shown without identity. */
  readonly cutoff: number;
  readonly now: number;
};

/** The manager's own retention replaces the tenant's if it is positive. Zero means that no identity is shown. */
function chooseRetentionDays(tenantDays: number, managerDays: number): number {
  if (managerDays > 0) return managerDays;
  // A stored value that is not a number counts as zero.
  return tenantDays > 0 ? tenantDays : 0;
}

/** `retentionSetting` is the tenant's stored setting. */
export function getIdentityVisibility(
  retentionSetting: string | null,
  { retentionDays }: Pick<Scope, 'retentionDays'>,
  now: number,
): IdentityVisibility {
  const days = chooseRetentionDays(Number(retentionSetting ?? 0), retentionDays);
  return { cutoff: computeRetentionCutoff(days, now), now };
}

/** The tenant's retention settings as they are stored. */
export type HistoryRetentionSettings = {
  readonly retention_setting: string | null;
  readonly surveillance_retention_setting: string | null;
};

/**
 * The instant from which a resident's history is within both retentions of the tenant, of accounts and of surveillance.
 * A positive retention of the manager replaces both.
 */
export function getHistoryCutoff(
  { retention_setting, surveillance_retention_setting }: HistoryRetentionSettings,
  manager: Pick<Scope, 'retentionDays'>,
  now: number,
): number {
  const cutoffs = [retention_setting, surveillance_retention_setting].map(
    (setting) => getIdentityVisibility(setting, manager, now).cutoff,
  );
  return Math.max(...cutoffs);
}

type IdentifiedRecord = {
  readonly recorded_at: number;
  readonly user_id: number;
  readonly resident_expired_at: number | null;
};

/** Whether a record is shown without the identity of its user. */
export function isAnonymized(
  { recorded_at, user_id, resident_expired_at }: IdentifiedRecord,
  { cutoff, now }: IdentityVisibility,
): boolean {
  const isExpired = resident_expired_at !== null && resident_expired_at <= now;
  return user_id === gdprUserId || recorded_at < cutoff || isExpired;
}

export type VisibleIdentity = {
  /** The GDPR user if the identity is not shown. */
  readonly residentId: number;
  /** Empty for the guest and if the identity is not shown. */
  readonly name: string;
  readonly isAnonymized: boolean;
};

/** The identity that a record shows. */
export const toVisibleIdentity = (
  row: IdentifiedRecord & { readonly resident_name: string | null },
  visibility: IdentityVisibility,
): VisibleIdentity =>
  isAnonymized(row, visibility)
    ? { residentId: gdprUserId, name: '', isAnonymized: true }
    : { residentId: row.user_id, name: row.resident_name ?? '', isAnonymized: false };

/** The instant from which a search by this user finds records; Infinity if it finds none. */
export const getSearchableFrom = (residentId: number, { cutoff }: IdentityVisibility, isExpired = false): number =>
  residentId === gdprUserId || isExpired ? Number.POSITIVE_INFINITY : cutoff;
