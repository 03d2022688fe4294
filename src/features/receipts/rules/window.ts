// What a resident's history shows, in time: the open period and the latest closed ones, as far as identities are kept.

import { effectiveRetentionDays, identityCutoff } from '../../account/rules/identity.ts';

/** How many closed periods are shown beside the open one. */
export const periodCount = 24;

/** Receipts of a page. */
export const pageReceipts = 20;

/** Whose postings, and which of them. */
export type History = {
  readonly bankId: number;
  readonly userId: number;
  /** The oldest settlement period shown, as stored. */
  readonly firstPeriod: number;
  /** Postings recorded before it (MS2000) are the resident's no longer. */
  readonly cutoff: number;
};

/** Where no identity is kept nothing is shown: no posting is as late as this. */
const never = Number.MAX_SAFE_INTEGER;

export function historyOf(
  { bankId, userId }: Pick<History, 'bankId' | 'userId'>,
  openPeriod: number,
  retention: { readonly tenantDays: number; readonly managerDays: number; readonly now: number },
): History {
  const days = effectiveRetentionDays(retention.tenantDays, retention.managerDays);
  const cutoff = Math.min(identityCutoff(days, retention.now), never);
  return { bankId, userId, firstPeriod: Math.max(1, openPeriod - periodCount), cutoff };
}

export const isSameHistory = (one: History, other: History): boolean =>
  one.bankId === other.bankId &&
  one.userId === other.userId &&
  one.firstPeriod === other.firstPeriod &&
  one.cutoff === other.cutoff;
