// Computes the revision of a selection: a fingerprint of everything that its rows and totals show.

import type { AccountBankState } from '../queries/account-bank.ts';
import { digestRevision } from '../../../lib/values/revision.ts';
import type { TimeInterval } from './account-selection.ts';
import type { PostingSums } from './rollups.ts';

/** `displayState` differs if the same postings are shown differently. */
export function computeRevision({ count, totals, fingerprint }: PostingSums, displayState: string): string {
  const sums = totals.map(
    ({ currency, count: each, debitMinor, creditMinor }) => `${currency}:${each}:${debitMinor}:${creditMinor}`,
  );
  return digestRevision([count, fingerprint, ...sums, displayState].join('|'));
}

/** What changes how a bank's postings are shown. */
type DisplayVersions = Omit<AccountBankState, 'opened_at' | 'next_posting_id' | 'retention_setting'>;

/** `shown` is the time that the selected postings span. */
export const formatAccountDisplayState = (
  { open_period, places_version, residents_version, expired_resident_count, reversals }: DisplayVersions,
  identityCutoff: number,
  shown: TimeInterval,
): string =>
  [
    open_period,
    places_version,
    residents_version,
    expired_resident_count,
    reversals,
    formatCutoffState(identityCutoff, shown),
  ].join('/');

/** The identity cutoff matters only where it lies inside the interval. */
function formatCutoffState(cutoff: number, { from, to }: TimeInterval): string {
  if (cutoff <= from) return 'named';
  return cutoff >= to ? 'unnamed' : String(cutoff);
}
