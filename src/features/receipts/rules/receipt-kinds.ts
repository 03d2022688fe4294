// Lists the kinds of receipts, and assigns the postings of the account to them.

import type { Kind } from '../../account/rules/posting-kinds.ts';

export const receiptKinds = ['Purchase', 'Payment', 'Discount', 'TransferToRent'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

const receiptKindByKind: Readonly<Record<Exclude<Kind, 'Unknown'>, ReceiptKind | undefined>> = {
  Consumption: 'Purchase',
  Booking: 'Purchase',
  Payment: 'Payment',
  Credit: 'Payment',
  Discount: 'Discount',
  TransferToRent: 'TransferToRent',
  Month: undefined,
};

/**
 * The kind of receipt that a posting belongs to; undefined for a monthly entry, which is on no receipt. A posting of
 * unknown kind is a payment if it credits the resident, otherwise a purchase.
 */
export function findReceiptKind(kind: Kind, isCredit: boolean): ReceiptKind | undefined {
  if (kind === 'Unknown') return isCredit ? 'Payment' : 'Purchase';
  return receiptKindByKind[kind];
}
