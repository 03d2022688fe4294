// Puts receipts together from the newest postings on, reading on until the page asked for is whole: a resident's first
// page costs what it holds, not what all the years hold.

import type { Db } from '../../database/dialect.ts';
import { listHistory, postingOf, type PackedPosting } from './queries/postings.ts';
import { Grouping, type ClockOf, type Posting, type Receipt } from './rules/grouping.ts';
import { byTime, lastDayFor } from './rules/order.ts';
import { maxPostings } from './rules/shares.ts';
import type { History } from './rules/window.ts';

// Where the newest postings are too few for the page, much more is read the next time.
const growth = 8;

/** The newest postings: all there are, or as many as were asked for. */
export type Begun = { readonly rows: readonly PackedPosting[]; readonly limit: number };

export async function begin(db: Db, history: History, expected: number): Promise<Begun> {
  const limit = Math.min(expected, maxPostings);
  return { rows: await listHistory(db, history, { offset: 0, limit }), limit };
}

/** `receipts` are all there are, or at least one more than wanted, newest first, and `postings` all that was looked at. */
type Together = { readonly receipts: readonly Receipt[]; readonly postings: readonly Posting[] };

/** Puts receipts together; `calculated` ones stand among them. */
export async function putTogether(
  db: Db,
  history: History,
  begun: Begun,
  { wanted, calculated, clockOf }: { wanted: number; calculated: readonly Receipt[]; clockOf: ClockOf },
): Promise<Together> {
  const grouping = new Grouping(clockOf);
  const postings: Posting[] = [];
  let { rows, limit } = begun;
  let readTo = Number.POSITIVE_INFINITY;
  for (;;) {
    for (const row of rows) {
      const posting = postingOf(row);
      const day = lastDayFor(posting.recorded_at);
      if (day < readTo) {
        readTo = day;
        const whole = grouping.finishedAfter(day);
        if (whole.length + calculated.length > wanted) {
          const receipts = [...whole, ...calculated.filter((each) => each.day > day)];
          if (receipts.length > wanted) return { receipts: receipts.toSorted(byTime), postings };
        }
      }
      postings.push(posting);
      if (posting.period >= history.firstPeriod) grouping.add(posting);
    }
    if (rows.length < limit) break;
    limit *= growth;
    rows = await listHistory(db, history, { offset: postings.length, limit });
  }
  const receipts = [...grouping.finishedAfter(Number.NEGATIVE_INFINITY), ...calculated];
  return { receipts: receipts.toSorted(byTime), postings };
}
