// Appends the event of a command to a booking, and reads what earlier events posted to the account and which postings
// bookings claim as their charges.

import type { Db, WriteDb } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ChargePostingRow } from '../rules/booking-draft.ts';
import type { GrantedBooking } from './bookings.ts';

type BookingEventColumns = Omit<Tables['booking_events'], 'bank_id' | 'booking_id'>;

/** Sets the latest event of a booking. Returns false if the booking has another latest event than the row. */
export async function appendBookingEvent(
  db: WriteDb,
  { bank, row }: GrantedBooking,
  event: BookingEventColumns,
): Promise<boolean> {
  const keys = { bank_id: bank.bankId, booking_id: row.booking_id };
  const bookingUpdate = db
    .updateTable('bookings')
    .set({ state: event.kind === 'Cancelled' ? 'Cancelled' : 'Booked', event_id: event.event_id })
    .where('bank_id', '=', keys.bank_id)
    .where('booking_id', '=', keys.booking_id)
    .where('event_id', '=', row.event_id)
    .executeTakeFirstOrThrow();
  const eventInsert = db
    .insertInto('booking_events')
    .values({ ...keys, ...event })
    .execute();
  const [{ numUpdatedRows }] = await Promise.all([bookingUpdate, eventInsert]);
  return numUpdatedRows === 1n;
}

type PostedAmountRow = Pick<Tables['postings'], 'amount_minor' | 'vat_minor' | 'text' | 'document_id'>;

export type PostedAmounts = {
  /** The posting of the first event, which charged the booking. */
  readonly charge: PostedAmountRow | undefined;
  /** The posting of the latest event. */
  readonly latest: PostedAmountRow | undefined;
};

/** The postings of a booking that decide what the next command posts. */
export async function findPostedAmounts(db: Db, { bank, row }: GrantedBooking): Promise<PostedAmounts> {
  const postings = await db
    .selectFrom('booking_events as e')
    .innerJoin('postings as p', onEqual('p', 'e', 'bank_id', 'posting_id'))
    .select(['e.event_id', 'e.kind', 'p.amount_minor', 'p.vat_minor', 'p.text', 'p.document_id'])
    .where('e.bank_id', '=', bank.bankId)
    .where('e.booking_id', '=', row.booking_id)
    .where(({ eb }) => eb.or([eb('e.kind', '=', 'Booked'), eb('e.event_id', '=', row.event_id)]))
    .execute();
  return {
    charge: postings.find(({ kind }) => kind === 'Booked'),
    latest: postings.find(({ event_id }) => event_id === row.event_id),
  };
}

/** Those of these postings that exist. */
export async function listChargePostings(
  db: Db,
  { bankId }: GrantedBank,
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

/** The ids of those of these postings that already belong to a booking. */
export async function listPostingIdsOfBookings(
  db: Db,
  { bankId }: GrantedBank,
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
