// Inserts bookings, and writes the slots that they take of their units. The primary key of the slots decides whether a
// time is free.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank, GrantedUnit } from '../../../permissions/coverage.ts';
import type { BookingCommand } from '../rules/allowed-commands.ts';
import type { BookingInsertRows } from '../rules/booking-insert-rows.ts';
import { listSlots, oldestUsefulSlot } from '../rules/slots.ts';
import type { GrantedBooking } from './bookings.ts';

type BookingTime = Pick<Tables['bookings'], 'booking_id' | 'location_id' | 'unit_id' | 'start_at' | 'end_at'>;

/** Inserts the slots of these bookings. A slot that is already taken is a duplicate. */
export const insertSlots = (db: WriteDb, bank: GrantedBank, bookings: readonly BookingTime[]): Promise<void> =>
  insertRows(
    db,
    'booking_slots',
    bookings.flatMap((booking) => toSlotRows(bank, booking)),
  );

const toSlotRows = (
  { bankId: bank_id }: GrantedBank,
  { booking_id, location_id, unit_id, start_at, end_at }: BookingTime,
): Tables['booking_slots'][] =>
  listSlots(start_at, end_at).map((slot) => ({ bank_id, location_id, unit_id, slot, booking_id }));

/**
 * Inserts or deletes the slots of a booking as the command requires, and deletes old slots of its unit. A slot that is
 * already taken is a duplicate.
 */
export async function updateSlotsOfBooking(
  db: WriteDb,
  booking: GrantedBooking,
  { command, now }: { readonly command: BookingCommand; readonly now: number },
): Promise<void> {
  await deleteOldSlots(db, booking.unit, now);
  await (command === 'Restore' ? insertSlots(db, booking.bank, [booking.row]) : deleteSlotsOfBooking(db, booking));
}

async function deleteSlotsOfBooking(db: WriteDb, { bank, row }: GrantedBooking): Promise<void> {
  await db
    .deleteFrom('booking_slots')
    .where('bank_id', '=', bank.bankId)
    .where('booking_id', '=', row.booking_id)
    .execute();
}

// Limits the length of the transaction if many old slots have accumulated; later calls delete the rest.
const maxDeletedSlots = 2000;

/** Deletes slots of a unit that are no longer needed, the oldest first. */
export async function deleteOldSlots(
  db: WriteDb,
  { bankId, locationId, unitId }: GrantedUnit,
  now: number,
): Promise<void> {
  const oldestUseful = oldestUsefulSlot(now);
  const { oldest } = await db
    .selectFrom('booking_slots')
    .select(({ fn }) => fn.min('slot').as('oldest'))
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .executeTakeFirstOrThrow();
  if (oldest === null || oldest >= oldestUseful) return;
  await db
    .deleteFrom('booking_slots')
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .where('slot', '<', Math.min(oldestUseful, oldest + maxDeletedSlots))
    .execute();
}

export async function insertBookings(db: WriteDb, { bookings, events }: BookingInsertRows): Promise<void> {
  await insertRows(db, 'bookings', bookings);
  await insertRows(db, 'booking_events', events);
}
