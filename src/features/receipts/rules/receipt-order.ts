// Orders receipts, and decides which days are complete when only a resident's newest postings have been read. Limits the
// documents of a receipt.

import { Problem } from '../../../lib/problem.ts';
import { dayMs } from '../../../lib/time/durations.ts';
import type { ReceiptGroup } from './receipt-grouping.ts';
import type { ReceiptKind } from './receipt-kinds.ts';

// The receipts that a settlement adds are newer than those that it settles.
const kindRanks: Readonly<Record<ReceiptKind, number>> = { TransferToRent: 0, Discount: 1, Payment: 2, Purchase: 3 };

/** Newest first: by local day, then by the newest line, then by the key of the receipt. */
export const compareReceipts = (a: ReceiptGroup, b: ReceiptGroup): number =>
  b.day - a.day ||
  b.lastAt - a.lastAt ||
  a.locationId - b.locationId ||
  kindRanks[a.kind] - kindRanks[b.kind] ||
  b.period - a.period ||
  (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : 0);

/**
 * The last local day that a posting recorded at this instant or before can belong to, in any time zone: the day after the
 * UTC day. If all postings back to this instant have been read, every later day is complete.
 */
export const computeLastLocalDay = (recordedAt: number): number => Math.floor(recordedAt / dayMs) + 1;

const maxDocumentsPerReceipt = 1000;

/** Throws 503 `receipts-too-large`. */
export function requireDocumentLimit(receipts: readonly ReceiptGroup[]): void {
  if (receipts.some(({ documentCount }) => documentCount > maxDocumentsPerReceipt))
    throw new Problem('receipts-too-large', {
      detail: `A receipt contains more than ${maxDocumentsPerReceipt} documents.`,
    });
}
