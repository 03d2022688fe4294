// Creates the rows of bookings and of their events from drafts.

import type { Tables } from '../../../database/tables.ts';
import type { BookingDraft } from './booking-draft.ts';

export type BookingInsertRows = {
  readonly bookings: Tables['bookings'][];
  readonly events: Tables['booking_events'][];
};

type BookingInsertIds = {
  readonly bankId: number;
  /** The first ids of those reserved. */
  readonly nextBookingId: number;
  readonly nextEventId: number;
  /** The ids of the postings that will charge drafts. */
  readonly postingIds: ReadonlyMap<BookingDraft, number>;
};

/** The rows of the bookings and of their events, numbered in the order given. */
export function toBookingInsertRows(
  drafts: readonly BookingDraft[],
  { bankId, nextBookingId, nextEventId, postingIds }: BookingInsertIds,
): BookingInsertRows {
  const rows: BookingInsertRows = { bookings: [], events: [] };
  for (const [index, draft] of drafts.entries()) {
    const bookingId = nextBookingId + index;
    const posting_id = postingIds.get(draft) ?? draft.postingId ?? null;
    for (const event of toEventColumns(draft, posting_id)) {
      const event_id = nextEventId + rows.events.length;
      rows.events.push({ bank_id: bankId, event_id, booking_id: bookingId, ...event });
    }
    const latestEventId = nextEventId + rows.events.length - 1;
    rows.bookings.push(toBookingRow(draft, { bankId, bookingId, eventId: latestEventId }));
  }
  return rows;
}

type EventColumns = Pick<Tables['booking_events'], 'kind' | 'at' | 'editor_id' | 'posting_id'>;

function toEventColumns({ createdAt, cancelled }: BookingDraft, posting_id: number | null): EventColumns[] {
  const booked = { kind: 'Booked', at: createdAt, editor_id: null, posting_id };
  if (cancelled === undefined) return [booked];
  return [booked, { kind: 'Cancelled', at: cancelled.at, editor_id: cancelled.editorId, posting_id: null }];
}

const toBookingRow = (
  draft: BookingDraft,
  { bankId, bookingId, eventId }: { readonly bankId: number; readonly bookingId: number; readonly eventId: number },
): Tables['bookings'] => ({
  bank_id: bankId,
  booking_id: bookingId,
  location_id: draft.locationId,
  unit_id: draft.unitId,
  user_id: draft.residentId,
  start_at: draft.startAt,
  end_at: draft.endAt,
  state: draft.cancelled === undefined ? 'Booked' : 'Cancelled',
  price_minor: draft.priceMinor,
  currency: draft.currency,
  event_id: eventId,
});
