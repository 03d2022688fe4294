// Limits a resident's history to what receipts show: the open period and the latest closed ones, within the retention of
// accounts and of surveillance.

import type { GrantedBank } from '../../../permissions/coverage.ts';

/** The number of closed periods shown besides the open one. */
export const maxClosedPeriods = 24;

export const receiptsPerPage = 20;

/** A resident of a bank that the manager's grants cover. */
export type BankResident = { readonly bank: GrantedBank; readonly residentId: number };

export type ResidentHistory = BankResident & {
  /** The oldest settlement period shown, as stored. */
  readonly firstPeriod: number;
  /** Postings recorded before this instant (MS2000) are no longer retained as the resident's. */
  readonly cutoff: number;
};

/** The cutoff if nothing is retained: no posting is as late as this. */
const latestInstant = Number.MAX_SAFE_INTEGER;

export const createResidentHistory = (
  resident: BankResident,
  { openPeriod, retentionCutoff }: { readonly openPeriod: number; readonly retentionCutoff: number },
): ResidentHistory => ({
  ...resident,
  firstPeriod: Math.max(1, openPeriod - maxClosedPeriods),
  cutoff: Math.min(retentionCutoff, latestInstant),
});

/** Whether two histories of one resident are the same. */
export const isSameHistory = (one: ResidentHistory, other: ResidentHistory): boolean =>
  one.firstPeriod === other.firstPeriod && one.cutoff === other.cutoff;
