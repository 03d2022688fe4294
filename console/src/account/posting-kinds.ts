// The kinds of postings, in the reader's words.

import type { PostingKind } from '../api/operations.ts';
import type { TextKey, Translate } from '../language/catalogue.ts';

const texts: Readonly<Record<PostingKind, TextKey>> = {
  Consumption: 'kind.consumption',
  Booking: 'kind.booking',
  Month: 'kind.month',
  Payment: 'kind.payment',
  Credit: 'kind.credit',
  Discount: 'kind.discount',
  TransferToRent: 'kind.transferToRent',
  Unknown: 'kind.unknown',
};

/** Later versions of the service may have more kinds. */
export function nameOfKind(kind: string, t: Translate): string {
  const key = (texts as Readonly<Record<string, TextKey>>)[kind];
  return key === undefined ? kind : t(key);
}
