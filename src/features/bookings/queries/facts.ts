// What verdicts on bookings need beside the bookings themselves; one statement each, however many bookings they are.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import { policySettings } from '../rules/policy.ts';
import { slotMs } from '../rules/slots.ts';

export type UnitSettingRow = {
  readonly location_id: number;
  readonly unit_id: number;
  readonly name: string;
  readonly value: string | null;
};

/** The booking settings that the units of these bookings were given; one booking a unit is enough. */
export async function listPolicyValues(
  db: Db,
  bankId: number,
  bookingIds: readonly number[],
): Promise<UnitSettingRow[]> {
  if (bookingIds.length === 0) return [];
  return db
    .selectFrom('bookings as b')
    .innerJoin('unit_settings as s', (join) =>
      join
        .onRef('s.bank_id', '=', 'b.bank_id')
        .onRef('s.location_id', '=', 'b.location_id')
        .onRef('s.unit_id', '=', 'b.unit_id'),
    )
    .select(['s.location_id', 's.unit_id', 's.name', 's.value'])
    .where('b.bank_id', '=', bankId)
    .where('b.booking_id', 'in', bookingIds)
    .where('s.name', 'in', policySettings)
    .execute();
}

/** Which of these bookings cannot have their time, as another has some of it. */
export async function listTaken(db: Db, bankId: number, bookingIds: readonly number[]): Promise<Set<number>> {
  if (bookingIds.length === 0) return new Set();
  // Starts and ends are multiples of a slot, so that the engines agree on the quotient.
  const within = sql<SqlBool>`s.slot >= b.start_at / ${sql.lit(slotMs)} and s.slot < b.end_at / ${sql.lit(slotMs)}`;
  const rows = await db
    .selectFrom('bookings as b')
    .select('b.booking_id')
    .where('b.bank_id', '=', bankId)
    .where('b.booking_id', 'in', bookingIds)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('booking_slots as s')
          .select(sql<number>`1`.as('one'))
          .whereRef('s.bank_id', '=', 'b.bank_id')
          .whereRef('s.location_id', '=', 'b.location_id')
          .whereRef('s.unit_id', '=', 'b.unit_id')
          .whereRef('s.booking_id', '<>', 'b.booking_id')
          .where(within),
      ),
    )
    .execute();
  return new Set(rows.map(({ booking_id }) => booking_id));
}

export type OtherRow = {
  readonly booking_id: number;
  readonly user_id: number;
  readonly location_id: number;
  readonly unit_id: number;
  readonly start_at: number;
  /** What calendar the unit is given; the catalogue has no other. */
  readonly calendar: string | null;
};

/** What these residents have booked since, whenever it is. */
export async function listBooked(
  db: Db,
  bankId: number,
  { userIds, since }: { readonly userIds: readonly number[]; readonly since: number },
): Promise<OtherRow[]> {
  if (userIds.length === 0) return [];
  return (
    db
      .selectFrom('bookings as b')
      .leftJoin('unit_settings as s', (join) =>
        join
          .onRef('s.bank_id', '=', 'b.bank_id')
          .onRef('s.location_id', '=', 'b.location_id')
          .onRef('s.unit_id', '=', 'b.unit_id')
          .on('s.name', '=', 'BookingCalendar'),
      )
      .select(['b.booking_id', 'b.user_id', 'b.location_id', 'b.unit_id', 'b.start_at', 's.value as calendar'])
      .where('b.bank_id', '=', bankId)
      .where('b.user_id', 'in', userIds)
      .where('b.start_at', '>=', since)
      .where('b.state', '=', 'Booked')
      // The order of the index by residents: without it SQLite goes through all of the bank's bookings.
      .orderBy('b.user_id')
      .orderBy('b.start_at')
      .execute()
  );
}
