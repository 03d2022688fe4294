// Reads what decides what becomes of rows of bookings: the bank, the units and residents, the bookings that the rows are
// already, and the postings that charged them.

import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import { formatEventKid, formatPostingKid } from '../../../../lib/kid.ts';
import { listChargePostings, listPostingIdsOfBookings } from '../../../bookings/queries/booking-events.ts';
import type { ChargePostingRow } from '../../../bookings/rules/booking-draft.ts';
import { getBankMoney } from '../../../inflow/queries/money-knowledge.ts';
import type { GrantedBank } from '../../../../permissions/coverage.ts';
import type { ImportTarget, KeyedRow } from '../../import-kind.ts';
import { bankKidOf, parseKidOfBank } from '../../rules/bank-kids.ts';
import { readHiddenIdentities } from '../../queries/hidden-identities.ts';
import { readNamedPlaces } from '../../queries/named-places.ts';

/** A booking with its first event, and when it was cancelled last. */
export type StoredBooking = Awaited<ReturnType<ReturnType<typeof selectStoredBookings>['execute']>>[number];

export type BookingKnowledge = Awaited<ReturnType<typeof readBookingKnowledge>>;

/** The bookings by the KIDs of their first events, and the postings that have charged no other booking by their own. */
export async function readBookingKnowledge(db: Db, target: ImportTarget, rows: readonly KeyedRow[]) {
  const [isHidden, money, places, stored, charges] = await Promise.all([
    readHiddenIdentities(db, target),
    getBankMoney(db, target.bank),
    readNamedPlaces(db, target, rows),
    listBookingsByKids(
      db,
      target,
      rows.flatMap(({ objectKid }) => objectKid ?? []),
    ),
    readCharges(db, target, rows),
  ]);
  return { bankKid: bankKidOf(target), currency: money.currency, places, stored, charges, isHidden };
}

/** The bookings of the bank with these first events. */
export async function listBookingsByKids(
  db: Db,
  target: ImportTarget,
  kids: readonly string[],
): Promise<ReadonlyMap<string, StoredBooking>> {
  const ids = kids.map((text) => Number(parseKidOfBank(target, text, 'event')?.eventId)).filter(Number.isSafeInteger);
  if (ids.length === 0) return new Map();
  const rows = await selectStoredBookings(db, target.bank.bankId)
    .where(({ ref }) => db.dialect.inList(ref('first.event_id'), ids))
    .execute();
  const bankKid = bankKidOf(target);
  return new Map(rows.map((row) => [formatEventKid(bankKid, row.first_event_id), row]));
}

/** Bookings with their first events: a booking is made once. */
const selectStoredBookings = (db: Db, bankId: number) =>
  db
    .selectFrom('booking_events as first')
    .innerJoin('bookings as b', (join) =>
      join.onRef('b.bank_id', '=', 'first.bank_id').onRef('b.booking_id', '=', 'first.booking_id'),
    )
    .innerJoin('booking_events as latest', (join) =>
      join.onRef('latest.bank_id', '=', 'b.bank_id').onRef('latest.event_id', '=', 'b.event_id'),
    )
    .selectAll('b')
    .select(['first.event_id as first_event_id', 'first.at as booked_at', 'first.posting_id'])
    .select('latest.at as latest_at')
    .leftJoin('residents as r', (join) =>
      join.onRef('r.bank_id', '=', 'b.bank_id').onRef('r.resident_id', '=', 'b.user_id'),
    )
    .select('r.expired_at as resident_expired_at')
    .where('first.bank_id', '=', bankId)
    .where('first.kind', '=', sql.lit('Booked'));

type BookingSlice = { readonly after: number; readonly limit: number; readonly now: number };

/** The bookings with the next ids. One that is not over cannot be made for somebody who was deleted, and is left out. */
export const listBookingsAfter = (db: Db, { bankId }: GrantedBank, { after, limit, now }: BookingSlice) =>
  selectStoredBookings(db, bankId)
    .where('b.bank_id', '=', bankId)
    .where('b.booking_id', '>', after)
    .where((eb) => eb.or([eb('r.deleted_at', 'is', null), eb('b.end_at', '<=', now)]))
    .orderBy('b.booking_id')
    .limit(limit)
    .execute();

export type ExportedBooking = Awaited<ReturnType<typeof listBookingsAfter>>[number];

type IsHidden = Awaited<ReturnType<typeof readHiddenIdentities>>;

export const isHiddenBooking = (row: StoredBooking, isHidden: IsHidden): boolean =>
  isHidden({ ...row, recorded_at: row.start_at });

async function readCharges(
  db: Db,
  target: ImportTarget,
  rows: readonly KeyedRow[],
): Promise<ReadonlyMap<string, ChargePostingRow>> {
  const { bank } = target;
  const ids = rows
    .map(({ values }) => Number(parseKidOfBank(target, values['posting'], 'posting')?.postingId))
    .filter(Number.isSafeInteger);
  const [postings, used] = await Promise.all([
    listChargePostings(db, bank, ids),
    listPostingIdsOfBookings(db, bank, ids),
  ]);
  const bankKid = bankKidOf(target);
  const free = postings.filter(({ posting_id }) => !used.includes(posting_id));
  return new Map(free.map((row) => [formatPostingKid(bankKid, row.posting_id), row]));
}
