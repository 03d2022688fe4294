// Reads what decides whether a line can make or cancel a booking.

import type { Db } from '../../../database/db.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';
import { slotMs } from '../../bookings/rules/slots.ts';

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
