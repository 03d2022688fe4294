// Stores which posting each booked line of the stream of money has, and reads what decides whether a line can make or cancel
// a booking.

import type { WriteDb, Db } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';
import { slotMs } from '../../bookings/rules/slots.ts';

type MoneyLineRow = Tables['money_lines'];

export type BookedLine = {
  readonly n: number;
  readonly unit: UnitKey | undefined;
  readonly postingId: number;
  readonly ref: string | null;
  readonly content: string;
  readonly clockOffsetMs: number | null;
};

/** The lines of a stream. */
type BookedLines = {
  readonly computerId: number;
  readonly epochNumber: number;
  readonly booked: readonly BookedLine[];
};

/** The primary key lets each line have one posting, and the other key each reference of a unit. */
export async function insertMoneyLines(
  db: WriteDb,
  { bankId }: GrantedBank,
  streams: readonly BookedLines[],
): Promise<void> {
  const rows = streams.flatMap(({ computerId, epochNumber, booked }) =>
    booked.map(({ n, unit, postingId, ref, content, clockOffsetMs }): MoneyLineRow => ({
      bank_id: bankId,
      computer_id: computerId,
      epoch_number: epochNumber,
      n,
      location_id: unit?.locationId ?? 0,
      unit_id: unit?.unitId ?? 0,
      posting_id: postingId,
      ref,
      content: ref === null ? null : content,
      clock_offset_ms: clockOffsetMs,
    })),
  );
  if (rows.length > 0) await insertRows(db, 'money_lines', rows);
}

/** Whether another booking of the unit overlaps. */
export async function isTimeTaken(
  db: Db,
  { bankId }: GrantedBank,
  { locationId, unitId }: UnitKey,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('booking_slots')
    .select('slot')
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .where('slot', '>=', from / slotMs)
    .where('slot', '<', to / slotMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findPostingIdOfRef(
  db: Db,
  { bankId }: GrantedBank,
  { locationId, unitId }: UnitKey,
  ref: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('money_lines')
    .select('posting_id')
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .where('ref', '=', ref)
    .executeTakeFirst();
  return row?.posting_id;
}

export async function findBookingIdOfPosting(
  db: Db,
  { bankId }: GrantedBank,
  postingId: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('booking_events')
    .select('booking_id')
    .where('bank_id', '=', bankId)
    .where('posting_id', '=', postingId)
    .executeTakeFirst();
  return row?.booking_id;
}
