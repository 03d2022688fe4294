// The writes that a command is made of, and what earlier events moved in the account.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { oldestUsefulSlot, listSlots } from '../rules/slots.ts';
import type { BookingRow } from './bookings.ts';

export type UnitKeyColumns = Pick<Tables['bookings'], 'bank_id' | 'location_id' | 'unit_id'>;

/** The rows of the slots that a booking takes. */
export function toSlotRows(booking: UnitKeyColumns & Pick<Tables['bookings'], 'booking_id' | 'start_at' | 'end_at'>) {
  const { bank_id, location_id, unit_id, booking_id } = booking;
  return listSlots(booking.start_at, booking.end_at).map((slot) => ({
    bank_id,
    location_id,
    unit_id,
    slot,
    booking_id,
  }));
}

export async function deleteSlotsOfBooking(db: WriteDb, { bank_id, booking_id }: BookingRow): Promise<void> {
  await db.deleteFrom('booking_slots').where('bank_id', '=', bank_id).where('booking_id', '=', booking_id).execute();
}

// So many slots go at a time that a backlog, however large, shrinks without a long transaction.
const maxDeletedSlots = 2000;

/** Deletes slots of the unit that are of no more use, the oldest first. */
export async function deleteOldSlots(
  db: WriteDb,
  { bank_id, location_id, unit_id }: UnitKeyColumns,
  now: number,
): Promise<void> {
  const oldestUseful = oldestUsefulSlot(now);
  const { oldest } = await db
    .selectFrom('booking_slots')
    .select(({ fn }) => fn.min('slot').as('oldest'))
    .where('bank_id', '=', bank_id)
    .where('location_id', '=', location_id)
    .where('unit_id', '=', unit_id)
    .executeTakeFirstOrThrow();
  if (oldest === null || oldest >= oldestUseful) return;
  await db
    .deleteFrom('booking_slots')
    .where('bank_id', '=', bank_id)
    .where('location_id', '=', location_id)
    .where('unit_id', '=', unit_id)
    .where('slot', '<', Math.min(oldestUseful, oldest + maxDeletedSlots))
    .execute();
}

/** Gives a booking its next event; false where it has another one than the row given. */
export async function appendBookingEvent(
  db: WriteDb,
  row: BookingRow,
  event: Tables['booking_events'],
): Promise<boolean> {
  const bookingUpdate = db
    .updateTable('bookings')
    .set({ state: event.kind === 'Cancelled' ? 'Cancelled' : 'Booked', event_id: event.event_id })
    .where('bank_id', '=', row.bank_id)
    .where('booking_id', '=', row.booking_id)
    .where('event_id', '=', row.event_id)
    .executeTakeFirstOrThrow();
  const [{ numUpdatedRows }] = await Promise.all([
    bookingUpdate,
    db.insertInto('booking_events').values(event).execute(),
  ]);
  return numUpdatedRows === 1n;
}

export type ChargePostingRow = Pick<
  Tables['postings'],
  'posting_id' | 'location_id' | 'unit_id' | 'user_id' | 'kind' | 'currency' | 'amount_minor'
>;

/** What is told of these postings, as far as they are there. */
export async function listChargePostings(
  db: Db,
  bankId: number,
  postingIds: readonly number[],
): Promise<ChargePostingRow[]> {
  if (postingIds.length === 0) return [];
  return db
    .selectFrom('postings')
    .select(['posting_id', 'location_id', 'unit_id', 'user_id', 'kind', 'currency', 'amount_minor'])
    .where('bank_id', '=', bankId)
    .where('posting_id', 'in', postingIds)
    .execute();
}

/** Which of these postings belong to a booking already. */
export async function listPostingIdsOfBookings(
  db: Db,
  bankId: number,
  postingIds: readonly number[],
): Promise<number[]> {
  if (postingIds.length === 0) return [];
  const rows = await db
    .selectFrom('booking_events')
    .select('posting_id')
    .where('bank_id', '=', bankId)
    .where('posting_id', 'in', postingIds)
    .execute();
  return rows.flatMap(({ posting_id }) => posting_id ?? []);
}

export type PostedAmountRow = Pick<Tables['postings'], 'amount_minor' | 'vat_minor' | 'text' | 'document_id'>;

export type PostedAmounts = {
  /** What charged the booking when it was made. */
  readonly charge: PostedAmountRow | undefined;
  /** What the event that the booking has now moved. */
  readonly latest: PostedAmountRow | undefined;
};

/** What a booking has moved in the account, as far as that decides what comes next. */
export async function findPostedAmounts(db: Db, { bank_id, booking_id, event_id }: BookingRow): Promise<PostedAmounts> {
  const rows = await db
    .selectFrom('booking_events as e')
    .innerJoin('postings as p', (join) =>
      join.onRef('p.bank_id', '=', 'e.bank_id').onRef('p.posting_id', '=', 'e.posting_id'),
    )
    .select(['e.event_id', 'e.kind', 'p.amount_minor', 'p.vat_minor', 'p.text', 'p.document_id'])
    .where('e.bank_id', '=', bank_id)
    .where('e.booking_id', '=', booking_id)
    .where(({ eb }) => eb.or([eb('e.kind', '=', 'Booked'), eb('e.event_id', '=', event_id)]))
    .execute();
  return {
    charge: rows.find(({ kind }) => kind === 'Booked'),
    latest: rows.find((row) => row.event_id === event_id),
  };
}
