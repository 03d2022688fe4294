// Reads who has booked a unit at a time.

import type { Db } from '../../../database/db.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import { slotMs } from '../../bookings/rules/slots.ts';

/** The resident; undefined if the unit is not booked at this time (MS2000). */
export async function findBookedBy(
  db: Db,
  { bankId, locationId, unitId }: GrantedUnit,
  at: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('booking_slots as s')
    .innerJoin('bookings as b', (join) =>
      join.onRef('b.bank_id', '=', 's.bank_id').onRef('b.booking_id', '=', 's.booking_id'),
    )
    .select('b.user_id')
    .where('s.bank_id', '=', bankId)
    .where('s.location_id', '=', locationId)
    .where('s.unit_id', '=', unitId)
    .where('s.slot', '=', Math.floor(at / slotMs))
    .executeTakeFirst();
  return row?.user_id;
}
