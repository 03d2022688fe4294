// Defines the draft of a booking by a resident, a device or the demo data, and the posting that charges it.

import type { Tables } from '../../../database/tables.ts';
import { isInt64 } from '../../../lib/values/int64.ts';
import { kindCode } from '../../account/rules/posting-kinds.ts';
import type { PostingDraft } from '../../account/rules/posting-draft.ts';
import { requireValidInterval } from './slots.ts';

export type BookingDraft = {
  readonly locationId: number;
  readonly unitId: number;
  readonly residentId: number;
  /** MS2000, multiples of five minutes. */
  readonly startAt: number;
  readonly endAt: number;
  readonly priceMinor: bigint;
  /** ISO 4217. */
  readonly currency: string;
  readonly createdAt: number;
  /** Posts the price to the account, unless it is zero. */
  readonly charge?: { readonly text: string; readonly vatMinor?: bigint | null };
  /** A stored posting that charged this booking and no other. */
  readonly postingId?: number;
  /** The booking was cancelled without a refund. */
  readonly cancelled?: { readonly at: number; readonly editorId: number | null };
};

/** Throws a RangeError if the draft cannot be a booking. */
export function requireValidDraft(draft: BookingDraft): void {
  const { startAt, endAt, priceMinor, currency, charge, postingId, cancelled } = draft;
  requireValidInterval(startAt, endAt);
  if (priceMinor < 0n || !isInt64(priceMinor))
    throw new RangeError('the price of a booking must be a non-negative 64-bit integer');
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError('the currency of a booking must be an ISO 4217 code');
  if (charge !== undefined && (postingId !== undefined || cancelled !== undefined))
    throw new RangeError('a booking with a charge must not have a posting and must not be cancelled');
}

/** The posting that charges a draft. */
export const toChargePosting = ({ charge, priceMinor, createdAt, ...draft }: BookingDraft): PostingDraft => ({
  recordedAt: createdAt,
  locationId: draft.locationId,
  unitId: draft.unitId,
  residentId: draft.residentId,
  kind: 'Booking',
  currency: draft.currency,
  amountMinor: -priceMinor,
  vatMinor: charge?.vatMinor ?? null,
  text: charge?.text ?? '',
});

export type ChargePostingRow = Pick<
  Tables['postings'],
  'posting_id' | 'location_id' | 'unit_id' | 'user_id' | 'kind' | 'currency' | 'amount_minor'
>;

/** Whether a posting charged the price to the resident, for the unit of the draft or for its location. */
export function isChargeOfDraft(posting: ChargePostingRow | undefined, draft: BookingDraft): boolean {
  if (posting === undefined || posting.kind !== kindCode('Booking')) return false;
  const { location_id, unit_id, user_id, currency, amount_minor } = posting;
  const isSameResident = user_id === draft.residentId && location_id === draft.locationId;
  const isOfUnit = unit_id === draft.unitId || unit_id === 0;
  return isSameResident && isOfUnit && currency === draft.currency && BigInt(amount_minor) === -draft.priceMinor;
}
