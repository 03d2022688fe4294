// What a resident's history shows, in time: the open period and the latest closed ones, as far as identities are kept.

import { chooseRetentionDays, computeRetentionCutoff } from '../../residents/rules/identity.ts';

/** How many closed periods are shown beside the open one. */
export const maxClosedPeriods = 24;

/** Receipts of a page. */
export const receiptsPerPage = 20;

/** Whose postings, and which of them. */
export type ResidentHistory = {
  readonly bankId: number;
  readonly userId: number;
  /** The oldest settlement period shown, as stored. */
  readonly firstPeriod: number;
  /** Postings recorded before it (MS2000) are the resident's no longer. */
  readonly cutoff: number;
};

/** Where no identity is kept nothing is shown: no posting is as late as this. */
const latestInstant = Number.MAX_SAFE_INTEGER;

export function createResidentHistory(
  { bankId, userId }: Pick<ResidentHistory, 'bankId' | 'userId'>,
  openPeriod: number,
  retention: { readonly tenantDays: number; readonly managerDays: number; readonly now: number },
): ResidentHistory {
  const days = chooseRetentionDays(retention.tenantDays, retention.managerDays);
  const cutoff = Math.min(computeRetentionCutoff(days, retention.now), latestInstant);
  return { bankId, userId, firstPeriod: Math.max(1, openPeriod - maxClosedPeriods), cutoff };
}

export const isSameResidentHistory = (one: ResidentHistory, other: ResidentHistory): boolean =>
  one.bankId === other.bankId &&
  one.userId === other.userId &&
  one.firstPeriod === other.firstPeriod &&
  one.cutoff === other.cutoff;
