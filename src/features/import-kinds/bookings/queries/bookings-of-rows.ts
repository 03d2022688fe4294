// Reads what decides what becomes of rows of bookings: the bank, the units and residents, the bookings that the rows are
// already, and the postings that charged them.

import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import type { Tables } from '../../../../database/tables.ts';
import { formatEventKid, formatPostingKid } from '../../../../lib/kid.ts';
import { listChargePostings, listPostingIdsOfBookings } from '../../../bookings/queries/booking-events.ts';
import type { BookingRow } from '../../../bookings/queries/bookings.ts';
import type { ChargePostingRow } from '../../../bookings/rules/booking-draft.ts';
import { getBankMoney } from '../../../inflow/queries/money-knowledge.ts';
import type { ImportTarget, KeyedRow } from '../../import-kind.ts';
import { bankKidOf, parseKidOfBank } from '../../rules/bank-kids.ts';
import { readNamedPlaces, type NamedPlaces } from '../../queries/named-places.ts';

/** A booking with its first event, and when it was cancelled last. */
export type StoredBooking = Tables['bookings'] & {
  readonly first_event_id: number;
  readonly booked_at: number;
  readonly posting_id: number | null;
  readonly latest_at: number;
};

/** The unit of a booking, as what decides commands has it. */
type BookedUnit = Pick<
  BookingRow,
  | 'location_id'
  | 'unit_id'
  | 'location_name'
  | 'location_enabled'
  | 'time_zone'
  | 'bank_enabled'
  | 'unit_name'
  | 'unit_type'
  | 'packed_type'
  | 'unit_enabled'
  | 'unit_deleted_at'
>;
type BookedResident = Pick<BookingRow, 'resident_name' | 'resident_expired_at' | 'resident_deleted_at'>;

export type BookingKnowledge = {
  readonly bankKid: string;
  readonly currency: string;
  readonly places: NamedPlaces;
  /** By `location/unit`. */
  readonly units: ReadonlyMap<string, BookedUnit>;
  readonly residents: ReadonlyMap<number, BookedResident>;
  /** By the KIDs of their first events. */
  readonly stored: ReadonlyMap<string, StoredBooking>;
  /** The postings that have charged no other booking, by their KIDs. */
  readonly charges: ReadonlyMap<string, ChargePostingRow>;
};

export async function readBookingKnowledge(
  db: Db,
  target: ImportTarget,
  rows: readonly KeyedRow[],
): Promise<BookingKnowledge> {
  const [money, places, stored, charges] = await Promise.all([
    getBankMoney(db, target.bank),
    readNamedPlaces(db, target, rows),
    listBookingsByKids(
      db,
      target,
      rows.flatMap(({ objectKid }) => objectKid ?? []),
    ),
    readCharges(db, target, rows),
  ]);
  const [units, residents] = await Promise.all([
    listBookedUnits(db, target, [...places.units.values()]),
    listBookedResidents(db, target, [...places.residents.values()]),
  ]);
  return { bankKid: bankKidOf(target), currency: money.currency, places, units, residents, stored, charges };
}

/** The bookings of the bank with these first events. */
async function listBookingsByKids(
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
export const selectStoredBookings = (db: Db, bankId: number) =>
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
    .where('first.bank_id', '=', bankId)
    .where('first.kind', '=', sql.lit('Booked'));

type UnitIds = { readonly locationId: number; readonly unitId: number };

async function listBookedUnits(
  db: Db,
  { bank }: ImportTarget,
  units: readonly UnitIds[],
): Promise<ReadonlyMap<string, BookedUnit>> {
  if (units.length === 0) return new Map();
  const rows = await db
    .selectFrom('units as u')
    .innerJoin('locations as l', (join) =>
      join.onRef('l.bank_id', '=', 'u.bank_id').onRef('l.location_id', '=', 'u.location_id'),
    )
    .innerJoin('banks as k', 'k.bank_id', 'u.bank_id')
    .select(['u.location_id', 'u.unit_id', 'u.name as unit_name', 'u.unit_type', 'u.packed_type'])
    .select(['u.enabled as unit_enabled', 'u.deleted_at as unit_deleted_at', 'k.enabled as bank_enabled'])
    .select(['l.name as location_name', 'l.enabled as location_enabled', 'l.time_zone'])
    .where('u.bank_id', '=', bank.bankId)
    .where(({ ref }) => db.dialect.inList(ref('u.unit_id'), [...new Set(units.map(({ unitId }) => unitId))]))
    .execute();
  return new Map(rows.map((row) => [`${row.location_id}/${row.unit_id}`, row]));
}

async function listBookedResidents(
  db: Db,
  { bank }: ImportTarget,
  ids: readonly number[],
): Promise<ReadonlyMap<number, BookedResident>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('residents')
    .select(['resident_id', 'name as resident_name'])
    .select(['expired_at as resident_expired_at', 'deleted_at as resident_deleted_at'])
    .where('bank_id', '=', bank.bankId)
    .where(({ ref }) => db.dialect.inList(ref('resident_id'), ids))
    .execute();
  return new Map(rows.map(({ resident_id, ...row }) => [resident_id, row]));
}

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
