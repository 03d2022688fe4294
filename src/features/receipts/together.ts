// Puts receipts together from the newest postings on, reading on until the page asked for is whole: a resident's first
// page costs what it holds, not what all the years hold.

import type { Db } from '../../database/dialect.ts';
import { listHistory } from './queries/postings.ts';
import { receiptsOf, type ClockOf, type Posting, type Receipt } from './rules/grouping.ts';
import { byTime, isWholeDay } from './rules/order.ts';
import { maxPostings } from './rules/shares.ts';
import type { History } from './rules/window.ts';

// Most receipts hold a line or two, and the last day read is not known to be whole; where that is too little for the
// page, much more is read the next time.
const postingsPerReceipt = 3;
const margin = 20;
const growth = 8;

/** The newest postings, enough in most cases for so many receipts. */
export type Begun = { readonly postings: readonly Posting[]; readonly limit: number };

export async function begin(db: Db, history: History, wanted: number): Promise<Begun> {
  // How many there are is not known yet.
  const limit = Math.min(wanted * postingsPerReceipt + margin, maxPostings);
  return { postings: await listHistory(db, history, { offset: 0, limit }), limit };
}

/** `receipts` are all there are, or at least one more than wanted, newest first, and `postings` all that was read. */
type Together = { readonly receipts: readonly Receipt[]; readonly postings: readonly Posting[] };

/** Puts receipts together; `calculated` ones stand among them. */
export async function putTogether(
  db: Db,
  history: History,
  begun: Begun,
  { wanted, calculated, clockOf }: { wanted: number; calculated: readonly Receipt[]; clockOf: ClockOf },
): Promise<Together> {
  let { postings, limit } = begun;
  let isAll = postings.length < limit;
  for (;;) {
    const shown = postings.filter(({ period }) => period >= history.firstPeriod);
    const receipts = [...receiptsOf(shown, clockOf), ...calculated].toSorted(byTime);
    const last = postings.at(-1);
    if (isAll || last === undefined) return { receipts, postings };
    const whole = receipts.filter(({ day }) => isWholeDay(day, last.recorded_at));
    if (whole.length > wanted) return { receipts: whole, postings };
    limit *= growth;
    const next = await listHistory(db, history, { offset: postings.length, limit });
    isAll = next.length < limit;
    postings = [...postings, ...next];
  }
}
