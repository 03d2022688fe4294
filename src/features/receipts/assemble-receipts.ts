// Puts receipts together from the newest postings on, reading on until the page asked for is whole: a resident's first
// page costs what it holds, not what all the years hold.

import type { Db } from '../../database/db.ts';
import { listPostingHistory, unpackPosting, type PackedPosting } from './queries/posting-history.ts';
import { ReceiptGrouper, type GetLocationClock, type HistoryPosting, type Receipt } from './rules/grouping.ts';
import { compareReceipts, computeLastLocalDay } from './rules/receipt-order.ts';
import { maxPostings } from './rules/history-sums.ts';
import type { ResidentHistory } from './rules/resident-history.ts';

// Where the newest postings are too few for the page, much more is read the next time.
const limitGrowthFactor = 8;

/** The newest postings: all there are, or as many as were asked for. */
export type FirstPostings = { readonly rows: readonly PackedPosting[]; readonly limit: number };

export async function readFirstPostings(db: Db, history: ResidentHistory, expected: number): Promise<FirstPostings> {
  const limit = Math.min(expected, maxPostings);
  return { rows: await listPostingHistory(db, history, { offset: 0, limit }), limit };
}

/** `receipts` are all there are, or at least one more than wanted, newest first, and `postings` all that was looked at. */
type AssembledReceipts = { readonly receipts: readonly Receipt[]; readonly postings: readonly HistoryPosting[] };

/** Puts receipts together; `calculated` ones stand among them. */
export async function assembleReceipts(
  db: Db,
  history: ResidentHistory,
  firstPostings: FirstPostings,
  {
    wanted: wantedReceipts,
    calculated,
    clockOf: getClock,
  }: { wanted: number; calculated: readonly Receipt[]; clockOf: GetLocationClock },
): Promise<AssembledReceipts> {
  const grouping = new ReceiptGrouper(getClock);
  const postings: HistoryPosting[] = [];
  let { rows, limit } = firstPostings;
  let readTo = Number.POSITIVE_INFINITY;
  for (;;) {
    for (const row of rows) {
      const posting = unpackPosting(row);
      const day = computeLastLocalDay(posting.recorded_at);
      if (day < readTo) {
        readTo = day;
        const finishedReceipts = grouping.listFinishedAfter(day);
        if (finishedReceipts.length + calculated.length > wantedReceipts) {
          const receipts = [...finishedReceipts, ...calculated.filter((each) => each.day > day)];
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
