// What a receipt can be, and which kind each posting of the account goes into.

import type { Kind } from '../../account/rules/kinds.ts';

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
 * The kind of receipt that a posting goes into; undefined for a monthly line, which is on none. What the account has no
 * word for is a payment where it gives the resident money, and else a purchase.
 */
export function findReceiptKind(kind: Kind, isCredit: boolean): ReceiptKind | undefined {
  if (kind === 'Unknown') return isCredit ? 'Payment' : 'Purchase';
  return receiptKindByKind[kind];
}
