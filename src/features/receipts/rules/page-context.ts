// Decides whether a page of receipts may be shown, and what it depends on besides the postings.

import type { Language } from '../../../lib/text/language.ts';
import { getHistoryCutoff, type HistoryRetentionSettings } from '../../residents/rules/identity.ts';
import { requireVisibleResident, type ResidentVisibilityRow } from '../../residents/rules/resident-visibility.ts';
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
  /** The manager's own retention. */
  readonly managerDays: number;
  readonly now: number;
};

/** The state that decides which part of the history is shown. */
type HistoryState = HistoryRetentionSettings & { readonly open_period: number };

export type BankState = BankSettlementState & HistoryState & { readonly places_version: number };

export type ReceiptsContext = {
  readonly bankState: BankState;
  readonly history: ResidentHistory;
  /** A text that changes with the resident's name, location and deletion. */
  readonly residentState: string;
};

type NamedResident = ResidentVisibilityRow & { readonly name: string };

/** Throws 404 or 403 if the resident is not visible to the manager. */
export function createReceiptsContext(
  request: ReceiptsRequest,
  row: (BankState & NamedResident) | undefined,
): ReceiptsContext {
  const { resident, managerDays, now } = request;
  const found = requireVisibleResident(row, resident.bank.coverage, managerDays, now);
  return {
    bankState: found,
    history: createRequestedHistory(request, found),
    residentState: formatResidentState(found),
  };
}

const formatResidentState = ({ name, location_id, deleted_at, expired_at }: NamedResident): string =>
  JSON.stringify([name, location_id, deleted_at, expired_at]);

export function createRequestedHistory(
  { resident, managerDays, now }: ReceiptsRequest,
  historyState: HistoryState,
): ResidentHistory {
  const retentionCutoff = getHistoryCutoff(historyState, { retentionDays: managerDays }, now);
  return createResidentHistory(resident, { openPeriod: historyState.open_period, retentionCutoff });
}

/** A text that changes with everything that a page depends on besides the postings. */
export function formatReceiptsDisplayState({ bankState, history, residentState }: ReceiptsContext): string {
  const { bank_type, vat_basis_points, discount_basis_points, places_version, open_period } = bankState;
  const { firstPeriod, cutoff } = history;
  const ofBank = [bank_type, vat_basis_points, discount_basis_points, places_version, open_period];
  return [...ofBank, firstPeriod, cutoff, residentState].join();
}
