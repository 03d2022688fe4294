// Decides whether a page of receipts may be shown, and what it depends on besides the postings.

import type { Language } from '../../../lib/language.ts';
import { getIdentityVisibility } from '../../residents/rules/identity.ts';
import { requireVisibleResident, type ResidentState } from '../../residents/rules/resident-visibility.ts';
import type { BankSettlementState } from './bank-settlement.ts';
import { createResidentHistory, type BankResident, type ResidentHistory } from './resident-history.ts';

/** Which page of whose receipts, and for which manager. */
export type ReceiptsRequest = {
  readonly resident: BankResident;
  readonly offset: number;
  readonly revision: string | undefined;
  readonly language: Language;
  /** The tenant's time zone. */
  readonly timeZone: string;
  /** The manager's retention of identities. */
  readonly managerDays: number;
  readonly now: number;
};

/** The state that decides which part of the history is shown. */
export type HistoryState = { readonly open_period: number; readonly retention_setting: string | null };

export type BankState = BankSettlementState & HistoryState & { readonly places_version: number };

export type PageContext = { readonly bankState: BankState; readonly history: ResidentHistory };

/** Throws 404 or 403 if the resident is not visible to the manager. */
export function createPageContext(request: ReceiptsRequest, row: (BankState & ResidentState) | undefined): PageContext {
  const { resident, managerDays, now } = request;
  const bankState = requireVisibleResident(row, resident.bank.coverage, managerDays, now);
  return { bankState, history: createRequestedHistory(request, bankState) };
}

export function createRequestedHistory(
  { resident, managerDays, now }: ReceiptsRequest,
  { open_period: openPeriod, retention_setting }: HistoryState,
): ResidentHistory {
  const { cutoff: identityCutoff } = getIdentityVisibility(retention_setting, { retentionDays: managerDays }, now);
  return createResidentHistory(resident, { openPeriod, identityCutoff });
}

/** A text that changes with everything that a page depends on besides the postings. */
export function formatDisplayState({ bankState, history }: PageContext): string {
  const { bank_type, vat_basis_points, discount_basis_points, places_version, open_period } = bankState;
  const { firstPeriod, cutoff } = history;
  return [bank_type, vat_basis_points, discount_basis_points, places_version, open_period, firstPeriod, cutoff].join();
}
