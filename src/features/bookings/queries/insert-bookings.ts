// Inserts bookings and their events.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { BookingInsertRows } from '../rules/booking-insert-rows.ts';

export async function insertBookings(db: WriteDb, { bookings, events }: BookingInsertRows): Promise<void> {
  await insertRows(db, 'bookings', bookings);
  await insertRows(db, 'booking_events', events);
}
