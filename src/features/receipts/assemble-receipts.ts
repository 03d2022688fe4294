// Assembles receipts from the newest postings on, and reads further postings until the requested page is complete.

import type { Db } from '../../database/db.ts';
import { listPostingHistory, unpackPosting } from './queries/posting-history.ts';
import type { FirstPostings } from './read-history.ts';
import { ReceiptGrouper, type GetLocationClock, type HistoryPosting, type Receipt } from './rules/grouping.ts';
import { compareReceipts, computeLastLocalDay } from './rules/receipt-order.ts';
import type { ResidentHistory } from './rules/resident-history.ts';

// If the newest postings are too few for the page, the next read is much larger.
const limitGrowthFactor = 8;

export type AssembleReceiptsInput = {
  readonly history: ResidentHistory;
  readonly firstPostings: FirstPostings;
  /** The calculated receipts, to be placed among the others. */
  readonly calculated: readonly Receipt[];
  /** The number of receipts needed. */
  readonly wantedReceipts: number;
  readonly getClock: GetLocationClock;
};

export type AssembledReceipts = {
  /** Newest first: all receipts, or more than wanted. */
  readonly receipts: readonly Receipt[];
  /** The postings that were read for them, newest first. */
  readonly postings: readonly HistoryPosting[];
};

export async function assembleReceipts(db: Db, input: AssembleReceiptsInput): Promise<AssembledReceipts> {
  const { history, calculated, wantedReceipts } = input;
  const grouping = new ReceiptGrouper(input.getClock);
  const postings: HistoryPosting[] = [];
  let { rows, limit } = input.firstPostings;
  let readTo = Number.POSITIVE_INFINITY;
  for (;;) {
    for (const row of rows) {
      const posting = unpackPosting(row);
      const day = computeLastLocalDay(posting.recorded_at);
      if (day < readTo) {
        readTo = day;
        const finished = grouping.listFinishedAfter(day);
        if (finished.length + calculated.length > wantedReceipts) {
          const receipts = [...finished, ...calculated.filter((receipt) => receipt.day > day)];
          if (receipts.length > wantedReceipts) return { receipts: receipts.toSorted(compareReceipts), postings };
        }
      }
      postings.push(posting);
      if (posting.period >= history.firstPeriod) grouping.add(posting);
    }
    if (rows.length < limit) break;
    limit *= limitGrowthFactor;
    rows = await listPostingHistory(db, history, { offset: postings.length, limit });
  }
  const receipts = [...grouping.listFinishedAfter(Number.NEGATIVE_INFINITY), ...calculated];
  return { receipts: receipts.toSorted(compareReceipts), postings };
}
