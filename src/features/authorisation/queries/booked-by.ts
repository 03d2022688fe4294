// Reads who has booked a unit at a time.

import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import { slotMs } from '../../bookings/rules/slots.ts';

/** The resident; undefined if the unit is not booked at this time (MS2000). */
export async function findBookedBy(
  db: Db,
  { bankId, locationId, unitId }: GrantedUnit,
  instant: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('booking_slots as s')
    .innerJoin('bookings as b', onEqual('b', 's', 'bank_id', 'booking_id'))
    .select('b.user_id')
    .where('s.bank_id', '=', bankId)
    .where('s.location_id', '=', locationId)
    .where('s.unit_id', '=', unitId)
    .where('s.slot', '=', Math.floor(instant / slotMs))
    .executeTakeFirst();
  return row?.user_id;
}
