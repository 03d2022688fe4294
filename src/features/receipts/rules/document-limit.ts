// Limits the documents of a receipt.

import { Problem } from '../../../lib/problem.ts';
import type { ReceiptGroup } from './receipt-grouping.ts';

const maxDocumentsPerReceipt = 1000;

/** Throws 503 `receipts-too-large`. */
export function requireDocumentLimit(receipts: readonly ReceiptGroup[]): void {
  if (receipts.some(({ documentCount }) => documentCount > maxDocumentsPerReceipt))
    throw new Problem('receipts-too-large', {
      detail: `A receipt contains more than ${maxDocumentsPerReceipt} documents.`,
    });
}
