// Summarizes a resident's history from its sums: everything that a page shows besides single postings.

import type { CalculatedReceipt } from './calculated-receipts.ts';
import { findVatRate, listCalculatedReceipts } from './bank-settlement.ts';
import { filterVisible, requireHistoryLimits, sumBalances, type HistorySum } from './history-sums.ts';
import type { ReceiptsContext } from './page-context.ts';

export type HistorySummary = {
  readonly openPeriod: number;
  /** In hundredths of a percent; null if receipts show no tax. */
  readonly vatRate: number | null;
  readonly visibleSums: readonly HistorySum[];
  /** By currency, of all stored postings. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** What settlements add, shown or not. */
  readonly calculated: readonly CalculatedReceipt[];
};

/** Throws 503 `receipts-too-large` if the shown periods hold more than can be processed at once. */
export function summarizeHistory(
  historySums: readonly HistorySum[],
  { bankState, history }: ReceiptsContext,
  periodEnds: ReadonlyMap<number, number>,
): HistorySummary {
  const visibleSums = filterVisible(historySums);
  requireHistoryLimits(visibleSums);
  return {
    openPeriod: bankState.open_period,
    vatRate: findVatRate(bankState),
    visibleSums,
    balances: sumBalances(historySums),
    calculated: listCalculatedReceipts(historySums, bankState, { periodEnds, cutoff: history.cutoff }),
  };
}
