// What is stored of bookings that are recorded: their rows, those of their events, and the postings that charge them.

import type { Tables } from '../../../database/tables.ts';
import type { PostingDraft } from '../../account/queries/ledger.ts';
import { kindCode } from '../../account/rules/kinds.ts';
import type { ChargePostingRow } from '../queries/booking-events.ts';
import type { ReservedBookingIds } from '../queries/booking-ids.ts';

export type BookingDraft = {
  readonly locationId: number;
  readonly unitId: number;
  readonly userId: number;
  /** MS2000, multiples of five minutes. */
  readonly startAt: number;
  readonly endAt: number;
  readonly priceMinor: bigint;
  /** ISO 4217. */
  readonly currency: string;
  readonly createdAt: number;
  /** The price is posted to the account now, if there is one. */
  readonly charge?: { readonly text: string; readonly vatMinor?: bigint | null };
  /** The posting that has charged it already, and no other booking. */
  readonly postingId?: number;
  /** It was given back since, and nothing of the price with it. */
  readonly cancelled?: { readonly at: number; readonly editorId: number | null };
};

export type BookingInsertRows = {
  readonly bookings: Tables['bookings'][];
  readonly events: Tables['booking_events'][];
};

/** Numbered from the heads on; `postings` are the ids of the charges that are made now. */
export function toBookingInsertRows(
  bankId: number,
  drafts: readonly BookingDraft[],
  { nextBookingId, nextEventId }: ReservedBookingIds,
  postings: ReadonlyMap<BookingDraft, number>,
): BookingInsertRows {
  const rows: BookingInsertRows = { bookings: [], events: [] };
  for (const [at, draft] of drafts.entries()) {
    const bookingId = nextBookingId + at;
    const appendEventRow = (
      kind: string,
      instant: number,
      more: Pick<Tables['booking_events'], 'editor_id' | 'posting_id'>,
    ) => {
      const event_id = nextEventId + rows.events.length;
      rows.events.push({ bank_id: bankId, event_id, booking_id: bookingId, kind, at: instant, ...more });
      return event_id;
    };
    const { cancelled } = draft;
    const posting_id = postings.get(draft) ?? draft.postingId ?? null;
    const createdEventId = appendEventRow('Booked', draft.createdAt, { editor_id: null, posting_id });
    const cancelledEventId =
      cancelled === undefined
        ? undefined
        : appendEventRow('Cancelled', cancelled.at, { editor_id: cancelled.editorId, posting_id: null });
    rows.bookings.push(toBookingRow(bankId, bookingId, draft, cancelledEventId ?? createdEventId));
  }
  return rows;
}

const toBookingRow = (bankId: number, bookingId: number, draft: BookingDraft, eventId: number): Tables['bookings'] => ({
  bank_id: bankId,
  booking_id: bookingId,
  location_id: draft.locationId,
  unit_id: draft.unitId,
  user_id: draft.userId,
  start_at: draft.startAt,
  end_at: draft.endAt,
  state: draft.cancelled === undefined ? 'Booked' : 'Cancelled',
  price_minor: draft.priceMinor,
  currency: draft.currency,
  event_id: eventId,
});

export const toChargePosting = ({ charge, priceMinor, createdAt, ...draft }: BookingDraft): PostingDraft => ({
  recordedAt: createdAt,
  locationId: draft.locationId,
  unitId: draft.unitId,
  userId: draft.userId,
  kind: 'Booking',
  currency: draft.currency,
  amountMinor: -priceMinor,
  vatMinor: charge?.vatMinor ?? null,
  text: charge?.text ?? '',
});

/** Whether a posting took a booking’s price from its resident, for its unit or for no unit of its location. */
export function isChargeOfDraft(posting: ChargePostingRow | undefined, draft: BookingDraft): boolean {
  if (posting === undefined || posting.kind !== kindCode('Booking')) return false;
  const { location_id, unit_id, user_id, currency, amount_minor } = posting;
  const isSameResident = user_id === draft.userId && location_id === draft.locationId;
  const isOfUnit = unit_id === draft.unitId || unit_id === 0;
  return isSameResident && isOfUnit && currency === draft.currency && BigInt(amount_minor) === -draft.priceMinor;
}
