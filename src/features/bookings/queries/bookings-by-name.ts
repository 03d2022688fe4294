// The units and the residents of a selection, with how many of its bookings are theirs: as many rows as there are names to
// be told, however many bookings there are. And out of them the bookings of a page that is sorted by names.

import { sql } from 'kysely';
import { withoutIndex } from '../../../database/without-index.ts';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { NameGroupSlice } from '../rules/name-groups.ts';
import {
  isEmptySelection,
  selectBookings,
  type BookingFilter,
  type UnitInBankKey,
  type BookingCriteria,
} from './select-bookings.ts';

export type BookingsByUnitRow = UnitInBankKey & {
  readonly location_name: string;
  readonly unit_name: string | null;
  readonly count: number;
};

/** Units that are deleted are among them; what is not there at all has no name. */
export async function countBookingsByUnit(db: Db, criteria: BookingCriteria): Promise<BookingsByUnitRow[]> {
  if (isEmptySelection(criteria)) return [];
  // Not by the index of units, which would lead through all that was ever booked.
  const counted = selectBookings(db, criteria)
    .select(({ fn }) => [
      withoutIndex('location_id').as('location_id'),
      withoutIndex('unit_id').as('unit_id'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy([withoutIndex('location_id'), withoutIndex('unit_id')]);
  return db
    .selectFrom(counted.as('c'))
    .innerJoin('locations as l', 'l.location_id', 'c.location_id')
    .leftJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 'l.bank_id')
        .onRef('u.location_id', '=', 'c.location_id')
        .onRef('u.unit_id', '=', 'c.unit_id'),
    )
    .select(['c.location_id', 'c.unit_id', 'c.count', 'l.name as location_name', 'u.name as unit_name'])
    .where('l.bank_id', '=', criteria.bankId)
    .execute();
}

/** Null stands for all those whose bookings start before the cutoff. */
export type BookingsByUserRow = {
  readonly user_id: number | null;
  readonly resident_name: string | null;
  readonly resident_expired_at: number | null;
  readonly count: number;
};

export async function countBookingsByUser(db: Db, criteria: BookingCriteria): Promise<BookingsByUserRow[]> {
  if (isEmptySelection(criteria)) return [];
  const counted = selectBookings(db, criteria)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<number | null>`case when start_at >= ${criteria.identityCutoff} then user_id end`.as('shown_id'))
    .groupBy('shown_id');
  return db
    .selectFrom(counted.as('c'))
    .leftJoin('residents as r', (join) =>
      join.onRef('r.resident_id', '=', 'c.shown_id').on('r.bank_id', '=', criteria.bankId),
    )
    .select(['c.shown_id as user_id', 'c.count', 'r.name as resident_name', 'r.expired_at as resident_expired_at'])
    .execute();
}

type BookingKeyRow = Pick<Tables['bookings'], 'booking_id' | 'location_id' | 'unit_id' | 'user_id' | 'start_at'>;

/**
 * The ids of the bookings that are cut out, in order. Stretches that are taken whole are read together, however many they
 * are: they are no more than the page holds.
 */
export async function listBookingIdsOfSlices(
  db: Db,
  wanted: BookingCriteria,
  slices: readonly NameGroupSlice[],
): Promise<number[]> {
  const wholeGroups = slices.filter(isWholeGroup);
  const partialGroups = slices.filter((cut) => !isWholeGroup(cut));
  const [wholeGroupRows, ...partialGroupRows] = await Promise.all([
    listWholeGroups(db, wanted, wholeGroups),
    ...partialGroups.map((cut) => listPartialGroup(db, wanted, cut)),
  ]);
  const rowsBySlice = Map.groupBy(wholeGroupRows, (row) =>
    wholeGroups.find(({ group }) => matchesFilter(group, row, wanted)),
  );
  for (const [at, cut] of partialGroups.entries()) rowsBySlice.set(cut, partialGroupRows[at] ?? []);
  return slices.flatMap((cut) => rowsBySlice.get(cut) ?? []).map(({ booking_id }) => booking_id);
}

const isWholeGroup = ({ group, take }: NameGroupSlice): boolean => take === group.count;

async function listWholeGroups(
  db: Db,
  wanted: BookingCriteria,
  cuts: readonly NameGroupSlice[],
): Promise<BookingKeyRow[]> {
  if (cuts.length === 0) return [];
  return selectFilteredByStart(db, wanted, {
    units: cuts.flatMap(({ group }) => group.units),
    userIds: cuts.flatMap(({ group }) => group.userIds),
    includesAnonymous: cuts.some(({ group }) => group.includesAnonymous),
  }).execute();
}

const listPartialGroup = (
  db: Db,
  wanted: BookingCriteria,
  { group, skip, take }: NameGroupSlice,
): Promise<BookingKeyRow[]> => selectFilteredByStart(db, wanted, group).limit(take).offset(skip).execute();

const selectFilteredByStart = (db: Db, wanted: BookingCriteria, narrowing: BookingFilter) =>
  selectBookings(db, { ...wanted, filters: [...wanted.filters, narrowing] })
    .select(['booking_id', 'location_id', 'unit_id', 'user_id', 'start_at'])
    .orderBy('start_at')
    .orderBy('booking_id');

/** As the database holds it against the row. */
function matchesFilter(
  { units, userIds, includesAnonymous }: BookingFilter,
  row: BookingKeyRow,
  { identityCutoff }: BookingCriteria,
): boolean {
  if (units.some((unit) => unit.location_id === row.location_id && unit.unit_id === row.unit_id)) return true;
  return row.start_at < identityCutoff ? includesAnonymous : userIds.includes(row.user_id);
}
