// Which postings can be reversed.

import type { Int64 } from '../../../lib/int64.ts';
import { guestUserId } from '../../../lib/kid.ts';
import { kindOf, paymentKindOf } from './kinds.ts';

type Reversible = {
  readonly kind: number;
  readonly payment_kind: number;
  readonly amount_minor: Int64;
  readonly user_id: number;
  readonly internal_tag: number | null;
  readonly reversal_of: number | null;
  readonly reversed_by: number | null;
};

/** Consumption of a resident that the equipment can take back, that no payment manages and nothing has reversed. */
export function isReversible(posting: Reversible): boolean {
  const original = posting.reversal_of === null && posting.reversed_by === null;
  const consumption = kindOf(posting.kind) === 'Consumption' && posting.amount_minor < 0;
  const unpaid = paymentKindOf(posting.payment_kind) === '';
  return original && consumption && unpaid && posting.user_id > guestUserId && posting.internal_tag !== null;
}
