// Bookings and the time that they take.

import type { Int64 } from '../../lib/values/int64.ts';

export type BookingsTables = {
  /** The lock row of a bank's bookings: the last booking id and event id. */
  booking_heads: { bank_id: number; bookings: number; events: number };
  bookings: {
    bank_id: number;
    booking_id: number;
    location_id: number;
    unit_id: number;
    user_id: number;
    start_at: number;
    end_at: number;
    /** Booked or Cancelled. */
    state: string;
    /** Price, zero or more. */
    price_minor: Int64;
    currency: string;
    /** The latest event of the booking. */
    event_id: number;
  };
  booking_events: {
    bank_id: number;
    event_id: number;
    booking_id: number;
    /** Booked, Cancelled or Restored. */
    kind: string;
    at: number;
    /** The manager who did it; null where a resident or a device did. */
    editor_id: number | null;
    /** The posting that it made in the account. */
    posting_id: number | null;
  };
  /** The time that bookings take, cut into slots; a cancelled booking has none. */
  booking_slots: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    /** Counted in slots since 2000-01-01T00:00:00Z. */
    slot: number;
    booking_id: number;
  };
};
