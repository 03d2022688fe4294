// What verdicts on bookings need beside the bookings themselves; one statement each, however many bookings they are.

import { sql } from 'kysely';
import { textWithoutIndex } from '../../../database/without-index.ts';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { policySettings } from '../rules/policy.ts';
import { slotMs } from '../rules/slots.ts';
import type { UnitInBankKey } from './select-bookings.ts';

export type PolicyValueRow = UnitInBankKey & { readonly name: string; readonly value: string | null };

/** The booking settings that these units were given, each unit's by the key. */
export async function listPolicyValues(
  db: Db,
  bankId: number,
  units: readonly UnitInBankKey[],
): Promise<PolicyValueRow[]> {
  if (units.length === 0) return [];
  const valuesPerUnit = units.map(
    ({ location_id, unit_id }) => sql`select location_id, unit_id, name, value from unit_settings
      where bank_id = ${bankId} and location_id = ${location_id} and unit_id = ${unit_id}`,
  );
  const { rows } = await sql<PolicyValueRow>`select * from (${sql.join(valuesPerUnit, sql` union all `)}) as given
    where name in (${sql.join(policySettings)})`.execute(db);
  return rows;
}

type BookingTimeRow = Pick<
  Tables['bookings'],
  'bank_id' | 'booking_id' | 'location_id' | 'unit_id' | 'start_at' | 'end_at'
>;

/** Which of these bookings cannot have their time, as another has some of it. Each is looked for by the key of the slots. */
export async function listTakenBookingIds(db: Db, bookings: readonly BookingTimeRow[]): Promise<ReadonlySet<number>> {
  if (bookings.length === 0) return new Set();
  const slotQueries = bookings.map(
    ({ bank_id, location_id, unit_id, booking_id, start_at, end_at }) => sql`select * from (
      select ${booking_id} as taken_from from booking_slots
      where bank_id = ${bank_id} and location_id = ${location_id} and unit_id = ${unit_id}
        and slot >= ${start_at / slotMs} and slot < ${end_at / slotMs} and booking_id <> ${booking_id} limit 1) as probe`,
  );
  const { rows } = await sql<{ taken_from: number }>`${sql.join(slotQueries, sql` union all `)}`.execute(db);
  return new Set(rows.map(({ taken_from }) => taken_from));
}

export type ResidentBookingRow = UnitInBankKey & {
  readonly booking_id: number;
  readonly user_id: number;
  readonly start_at: number;
  readonly unit_type: number | null;
  readonly packed_type: Tables['units']['packed_type'];
  /** What calendar the unit was given. */
  readonly calendar: string | null;
};

/** What these residents have booked since, whenever it is. */
export async function listResidentBookings(
  db: Db,
  bankId: number,
  { userIds, since }: { readonly userIds: readonly number[]; readonly since: number },
): Promise<ResidentBookingRow[]> {
  if (userIds.length === 0) return [];
  return (
    db
      .selectFrom('bookings as b')
      .leftJoin('units as u', (join) =>
        join
          .onRef('u.bank_id', '=', 'b.bank_id')
          .onRef('u.location_id', '=', 'b.location_id')
          .onRef('u.unit_id', '=', 'b.unit_id'),
      )
      .leftJoin('unit_settings as s', (join) =>
        join
          .onRef('s.bank_id', '=', 'b.bank_id')
          .onRef('s.location_id', '=', 'b.location_id')
          .onRef('s.unit_id', '=', 'b.unit_id')
          .on('s.name', '=', 'BookingCalendar'),
      )
      .select(['b.booking_id', 'b.user_id', 'b.location_id', 'b.unit_id', 'b.start_at'])
      .select(['u.unit_type', 'u.packed_type', 's.value as calendar'])
      .where('b.bank_id', '=', bankId)
      .where('b.user_id', 'in', userIds)
      .where('b.start_at', '>=', since)
      .where(textWithoutIndex('b.state'), '=', 'Booked')
      // The order of the index by residents: without it SQLite goes through all of the bank's bookings.
      .orderBy('b.user_id')
      .orderBy('b.start_at')
      .execute()
  );
}
