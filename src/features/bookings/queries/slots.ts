// The time that bookings take of their units. Whether it is free is for the key of the slots to say.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { Problem } from '../../../lib/problem.ts';
import { deleteOldSlots, deleteSlotsOfBooking, toSlotRows } from './booking-events.ts';
import type { BookingRow } from './bookings.ts';
import type { BookingCommand } from '../rules/commands.ts';

/** Takes these slots; 409 booking-overlap where somebody has one of them. */
export async function insertSlots(db: WriteDb, slots: readonly Tables['booking_slots'][]): Promise<void> {
  try {
    await insertRows(db, 'booking_slots', slots);
  } catch (error) {
    throw db.dialect.classifyError(error) === 'duplicate' ? new Problem('booking-overlap', { cause: error }) : error;
  }
}

/** Gives a booking its time again, or gives that back; and clears its unit of slots that nobody needs. */
export async function updateSlotsOfBooking(
  db: WriteDb,
  row: BookingRow,
  { command, now }: { readonly command: BookingCommand; readonly now: number },
): Promise<void> {
  await deleteOldSlots(db, row, now);
  await (command === 'Restore' ? insertSlots(db, toSlotRows(row)) : deleteSlotsOfBooking(db, row));
}
