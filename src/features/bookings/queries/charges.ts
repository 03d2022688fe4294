// Reads the postings that bookings claim as their charges.

import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ChargePostingRow } from '../rules/booking-draft.ts';

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
