// Reads the sums of a resident's history together with its newest postings.

import type { Db } from '../../database/db.ts';
import { listHistorySums } from './queries/resident-rollups.ts';
import { listPostingHistory, type PackedHistoryPosting } from './queries/posting-history.ts';
import type { ReadSizeEstimate } from './process/read-size-estimate.ts';
import { maxPostings, splitByVisibility, type HistorySum } from './rules/history-sums.ts';
import { receiptsPerPage, type ResidentHistory } from './rules/resident-history.ts';

/** The newest postings of a history: all of them if they are fewer than the limit. */
export type FirstPostings = { readonly rows: readonly PackedHistoryPosting[]; readonly limit: number };

export type HistoryRead = { readonly historySums: readonly HistorySum[]; readonly firstPostings: FirstPostings };

/** `offset`: the number of receipts before the page. */
export async function readHistory(
  db: Db,
  { history, offset }: { readonly history: ResidentHistory; readonly offset: number },
  readSizeEstimate: ReadSizeEstimate,
): Promise<HistoryRead> {
  const limit = Math.min(maxPostings, readSizeEstimate.estimatePostings(history.bank, offset + receiptsPerPage));
  const [storedSums, rows] = await Promise.all([
    listHistorySums(db, history),
    listPostingHistory(db, history, { offset: 0, limit }),
  ]);
  return { historySums: splitByVisibility(storedSums, history), firstPostings: { rows, limit } };
}
