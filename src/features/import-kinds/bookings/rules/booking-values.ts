// Formats bookings as the fields of imports.

import {
  gdprUserId,
  guestId,
  formatLocationKid,
  formatPostingKid,
  formatUnitKid,
  formatUserKid,
} from '../../../../lib/kid.ts';
import { formatUtc } from '../../../../lib/time/ms2000.ts';
import type { RowValues } from '../../import-kind.ts';
import type { BookingField } from './booking-fields.ts';
import { isHiddenBooking, type BookingKnowledge, type StoredBooking } from '../queries/bookings-of-rows.ts';
import { spellLike } from '../../rules/import-time.ts';

/** Every field of a booking, each in its one spelling. Where its identity is not shown, it is anonymous. */
export function toBookingValues(
  row: StoredBooking,
  bankKid: string,
  isAnonymous = false,
): Record<BookingField, string> {
  const isHidden = isAnonymous || row.user_id === gdprUserId;
  return {
    unit: formatUnitKid(formatLocationKid(bankKid, row.location_id), row.unit_id),
    resident: isHidden || row.user_id === guestId ? '' : formatUserKid(bankKid, row.user_id),
    anonymous: isHidden ? 'true' : '',
    from: formatUtc(row.start_at),
    to: formatUtc(row.end_at),
    state: row.state,
    price: String(row.price_minor),
    currency: row.currency,
    bookedAt: formatUtc(row.booked_at),
    cancelledAt: row.state === 'Cancelled' ? formatUtc(row.latest_at) : '',
    // The posting would tell whose the booking was.
    posting: isHidden || row.posting_id === null ? '' : formatPostingKid(bankKid, row.posting_id),
  };
}

/**
 * Writes the values in the spelling of a row wherever the row means the same: what it leaves open has no difference.
 */
export function toBookingValuesLike(row: StoredBooking, given: RowValues, knowledge: BookingKnowledge): RowValues {
  const values = toBookingValues(row, knowledge.bankKid, isHiddenBooking(row, knowledge.isHidden));
  const zone = knowledge.places.zoneOf(row.location_id);
  const left = (field: string, isDefault: boolean): RowValues =>
    given[field] === '' && isDefault ? { [field]: '' } : {};
  const time = (field: string, at: number): RowValues =>
    given[field] === '' ? { [field]: '' } : { [field]: spellLike(given[field], at, zone) };
  return {
    ...values,
    ...time('from', row.start_at),
    ...time('to', row.end_at),
    ...time('bookedAt', row.booked_at),
    ...(row.state === 'Cancelled' ? time('cancelledAt', row.latest_at) : {}),
    ...left('cancelledAt', true),
    ...left('state', row.state === 'Booked'),
    ...left('price', row.price_minor === 0),
    ...left('currency', row.currency === knowledge.currency),
  };
}
