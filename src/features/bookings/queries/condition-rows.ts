// Reads what decides the commands on bookings besides the bookings themselves. Each function runs one statement for any
// number of bookings.

import { sql } from 'kysely';
import { textWithoutIndex } from '../../../database/statements/without-index.ts';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ResidentBookingRow, PolicyValueRow } from '../rules/counted-bookings.ts';
import { policySettings } from '../rules/policy.ts';
import { slotMs } from '../rules/slots.ts';
import type { UnitInBankKey } from '../rules/unit-in-bank.ts';
import type { BankBookings } from './bookings.ts';

/** The stored booking settings of these units. Each unit is looked up by the primary key. */
export async function listPolicyValues(
  db: Db,
  { bankId }: GrantedBank,
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

/** The ids of those bookings whose time overlaps another booking. Each is looked up by the primary key of the slots. */
export async function listTakenBookingIds(db: Db, { bank, rows }: BankBookings): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const slotQueries = rows.map(
    ({ location_id, unit_id, booking_id, start_at, end_at }) => sql`select * from (
      select ${booking_id} as taken_from from booking_slots
      where bank_id = ${bank.bankId} and location_id = ${location_id} and unit_id = ${unit_id}
        and slot >= ${start_at / slotMs} and slot < ${end_at / slotMs} and booking_id <> ${booking_id} limit 1) as probe`,
  );
  const taken = await sql<{ taken_from: number }>`${sql.join(slotQueries, sql` union all `)}`.execute(db);
  return new Set(taken.rows.map(({ taken_from }) => taken_from));
}

/** The booked bookings of these residents that start at `since` or later. */
export async function listResidentBookings(
  db: Db,
  { bankId }: GrantedBank,
  { residentIds, since }: { readonly residentIds: readonly number[]; readonly since: number },
): Promise<ResidentBookingRow[]> {
  if (residentIds.length === 0) return [];
  return (
    db
      .selectFrom('bookings as b')
      .leftJoin('units as u', onEqual('u', 'b', 'bank_id', 'location_id', 'unit_id'))
      .leftJoin('unit_settings as s', (join) =>
        onEqual('s', 'b', 'bank_id', 'location_id', 'unit_id')(join).on('s.name', '=', 'BookingCalendar'),
      )
      .select(['b.booking_id', 'b.user_id', 'b.location_id', 'b.unit_id', 'b.start_at'])
      .select(['u.unit_type', 'u.packed_type', 's.value as calendar'])
      .where('b.bank_id', '=', bankId)
      .where('b.user_id', 'in', residentIds)
      .where('b.start_at', '>=', since)
      .where(textWithoutIndex('b.state'), '=', 'Booked')
      // This order makes SQLite use the index of users; otherwise it reads every booking of the bank.
      .orderBy('b.user_id')
      .orderBy('b.start_at')
      .execute()
  );
}
