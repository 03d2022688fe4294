// The units and the residents of a selection, with how many of its bookings are theirs: as many rows as there are names to
// be told, however many bookings there are. And out of them the bookings of a page that is sorted by names.

import { sql } from 'kysely';
import { beyondIndex } from '../../../database/beyond-index.ts';
import type { Db } from '../../../database/dialect.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Cut } from '../by-names.ts';
import { isEmpty, selected, type Narrowing, type UnitAt, type Wanted } from './selected.ts';

export type UnitRow = UnitAt & {
  readonly location_name: string;
  readonly unit_name: string | null;
  readonly count: number;
};

/** Units that are deleted are among them; what is not there at all has no name. */
export async function listUnits(db: Db, wanted: Wanted): Promise<UnitRow[]> {
  if (isEmpty(wanted)) return [];
  // Not by the index of units, which would lead through all that was ever booked.
  const counted = selected(db, wanted)
    .select(({ fn }) => [
      beyondIndex('location_id').as('location_id'),
      beyondIndex('unit_id').as('unit_id'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy([beyondIndex('location_id'), beyondIndex('unit_id')]);
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
    .where('l.bank_id', '=', wanted.bankId)
    .execute();
}

/** Null stands for all those whose bookings start before the cutoff. */
export type UserRow = {
  readonly user_id: number | null;
  readonly resident_name: string | null;
  readonly resident_expired_at: number | null;
  readonly count: number;
};

export async function listUsers(db: Db, wanted: Wanted): Promise<UserRow[]> {
  if (isEmpty(wanted)) return [];
  const counted = selected(db, wanted)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<number | null>`case when start_at >= ${wanted.cutoff} then user_id end`.as('shown_id'))
    .groupBy('shown_id');
  return db
    .selectFrom(counted.as('c'))
    .leftJoin('residents as r', (join) =>
      join.onRef('r.resident_id', '=', 'c.shown_id').on('r.bank_id', '=', wanted.bankId),
    )
    .select(['c.shown_id as user_id', 'c.count', 'r.name as resident_name', 'r.expired_at as resident_expired_at'])
    .execute();
}

type Row = Pick<Tables['bookings'], 'booking_id' | 'location_id' | 'unit_id' | 'user_id' | 'start_at'>;

/**
 * The ids of the bookings that are cut out, in order. Stretches that are taken whole are read together, however many they
 * are: they are no more than the page holds.
 */
export async function listCut(db: Db, wanted: Wanted, cuts: readonly Cut[]): Promise<number[]> {
  const whole = cuts.filter(isWhole);
  const parts = cuts.filter((cut) => !isWhole(cut));
  const [together, ...rows] = await Promise.all([
    listWhole(db, wanted, whole),
    ...parts.map((cut) => listPart(db, wanted, cut)),
  ]);
  const found = Map.groupBy(together, (row) => whole.find(({ stretch }) => holds(stretch, row, wanted)));
  for (const [at, cut] of parts.entries()) found.set(cut, rows[at] ?? []);
  return cuts.flatMap((cut) => found.get(cut) ?? []).map(({ booking_id }) => booking_id);
}

const isWhole = ({ stretch, take }: Cut): boolean => take === stretch.count;

async function listWhole(db: Db, wanted: Wanted, cuts: readonly Cut[]): Promise<Row[]> {
  if (cuts.length === 0) return [];
  return inOrder(db, wanted, {
    units: cuts.flatMap(({ stretch }) => stretch.units),
    userIds: cuts.flatMap(({ stretch }) => stretch.userIds),
    unnamed: cuts.some(({ stretch }) => stretch.unnamed),
  }).execute();
}

const listPart = (db: Db, wanted: Wanted, { stretch, skip, take }: Cut): Promise<Row[]> =>
  inOrder(db, wanted, stretch).limit(take).offset(skip).execute();

const inOrder = (db: Db, wanted: Wanted, narrowing: Narrowing) =>
  selected(db, { ...wanted, narrowings: [...wanted.narrowings, narrowing] })
    .select(['booking_id', 'location_id', 'unit_id', 'user_id', 'start_at'])
    .orderBy('start_at')
    .orderBy('booking_id');

/** As the database holds it against the row. */
function holds({ units, userIds, unnamed }: Narrowing, row: Row, { cutoff }: Wanted): boolean {
  if (units.some((unit) => unit.location_id === row.location_id && unit.unit_id === row.unit_id)) return true;
  return row.start_at < cutoff ? unnamed : userIds.includes(row.user_id);
}
