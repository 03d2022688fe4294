// The order of receipts, and which days are whole when only a resident's newest postings have been read.

import type { Receipt } from './grouping.ts';
import type { ReceiptKind } from './receipt-kinds.ts';
import { dayMs } from '../../../lib/local-clock.ts';

// What a settlement adds comes after what it settles.
const kindRanks: Readonly<Record<ReceiptKind, number>> = { TransferToRent: 0, Discount: 1, Payment: 2, Purchase: 3 };

/** Newest first: by local day, then by the newest line; what is left to tell apart is told by the group itself. */
export function compareReceipts(a: Receipt, b: Receipt): number {
  return (
    b.day - a.day ||
    b.lastAt - a.lastAt ||
    a.locationId - b.locationId ||
    kindRanks[a.kind] - kindRanks[b.kind] ||
    b.period - a.period ||
    (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : 0)
  );
}

/**
 * The last local day that a posting recorded at this instant or before it can belong to, wherever it was recorded: the
 * day after the UTC one. What was read back to there is whole on every later day.
 */
export const computeLastLocalDay = (recordedAt: number): number => Math.floor(recordedAt / dayMs) + 1;
