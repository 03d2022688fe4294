// Which bookings a list selects, as SQL: by the index of what narrows them most, before any name is looked up.

import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { beyondIndex, textBeyondIndex } from '../../../database/beyond-index.ts';
import type { Db } from '../../../database/dialect.ts';
import type { ShownState } from '../rules/commands.ts';
import { maxLengthMs } from '../rules/slots.ts';

export type UnitAt = { readonly location_id: number; readonly unit_id: number };

/** Of one of these units, or of one of these users while they are named, or, where it is asked for, of nobody named. */
export type Narrowing = {
  readonly units: readonly UnitAt[];
  readonly userIds: readonly number[];
  readonly unnamed: boolean;
};

export type Wanted = {
  readonly bankId: number;
  /** The first instant of a start, and the first that is too late. */
  readonly from: number;
  readonly to: number;
  /** Bookings that start before it are shown without identity. It lies between `from` and `to`. */
  readonly cutoff: number;
  /** Undefined is every location but those that are hidden. */
  readonly locationIds: readonly number[] | undefined;
  readonly hiddenLocationIds: readonly number[];
  readonly unitId: number | undefined;
  readonly userId: number | undefined;
  readonly state: ShownState | 'all';
  /** Each of them has to hold. */
  readonly narrowings: readonly Narrowing[];
  readonly now: number;
};

export type Direction = 'asc' | 'desc';

/** `direction`: in which the bookings are gone through. */
export function selected(db: Db, wanted: Wanted, direction: Direction = 'asc') {
  const { bankId, locationIds, hiddenLocationIds, unitId, userId, state, narrowings, now } = wanted;
  const { from, to } = intervalOf(wanted);
  let query = db
    .selectFrom('bookings')
    .where('bank_id', '=', bankId)
    .where(startAt(wanted, direction === 'asc'), '>=', from)
    .where(startAt(wanted, direction === 'desc'), '<', to)
    .where(db.words.stoppable(sql.ref('booking_id')));
  if (locationIds !== undefined) query = query.where(within(wanted, locationIds));
  else if (hiddenLocationIds.length > 0) query = query.where(beyondIndex('location_id'), 'not in', hiddenLocationIds);
  if (unitId !== undefined) query = query.where('unit_id', '=', unitId);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (state !== 'all') query = query.where(ofState(wanted), '=', state === 'Cancelled' ? 'Cancelled' : 'Booked');
  if (state === 'Booked') query = query.where('end_at', '>', now);
  if (state === 'Completed') query = query.where('end_at', '<=', now);
  for (const narrowing of narrowings) query = query.where(held(db, narrowing, wanted.cutoff));
  return query;
}

export const isEmpty = ({ locationIds, from, to }: Wanted): boolean => locationIds?.length === 0 || from >= to;

/** What is over has begun, and what is not began no longer ago than the longest booking takes. */
function intervalOf({ from, to, state, now }: Wanted): Pick<Wanted, 'from' | 'to'> {
  if (state === 'Booked') return { from: Math.max(from, now - maxLengthMs), to };
  if (state === 'Completed') return { from, to: Math.min(to, now) };
  return { from, to };
}

/** An index that begins with something narrower is gone through from one bound of time on; the other is no help there. */
const startAt = (wanted: Wanted, isFirst: boolean): RawBuilder<number> =>
  isFirst || !isNarrow(wanted) ? sql.ref<number>('start_at') : beyondIndex('start_at');

const isNarrow = (wanted: Wanted): boolean => wanted.state !== 'all' || isNarrower(wanted);

/** Than a state. */
const isNarrower = (wanted: Wanted): boolean =>
  wanted.userId !== undefined || goesByLocations(wanted) || wanted.narrowings.some(isOfUsers);

const ofState = (wanted: Wanted): RawBuilder<string> =>
  isNarrower(wanted) ? textBeyondIndex('state') : sql.ref<string>('state');

const isOfUsers = ({ units, userIds, unnamed }: Narrowing): boolean =>
  units.length === 0 && userIds.length > 0 && !unnamed;

/** Through so many locations each is gone by its own index; through more, the bank's bookings are in their order. */
const fewLocations = 8;

export const goesByLocations = ({ locationIds, userId }: Wanted): boolean =>
  userId === undefined && locationIds !== undefined && locationIds.length <= fewLocations;

function within(wanted: Wanted, locationIds: readonly number[]): Expression<SqlBool> {
  const column = goesByLocations(wanted) ? sql.ref<number>('location_id') : beyondIndex('location_id');
  return sql<SqlBool>`${column} in (${sql.join(locationIds)})`;
}

function held({ words }: Db, { units, userIds, unnamed }: Narrowing, cutoff: number): Expression<SqlBool> {
  const alternatives: Expression<SqlBool>[] = [];
  if (units.length > 0) alternatives.push(words.among(sql`location_id * ${sql.lit(wide)} + unit_id`, units.map(pair)));
  if (userIds.length > 0)
    alternatives.push(sql`${words.among(sql.ref('user_id'), userIds)} and ${beyondIndex('start_at')} >= ${cutoff}`);
  if (unnamed) alternatives.push(sql`start_at < ${cutoff}`);
  return alternatives.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`;
}

// Ids have 31 bits, so that two of them are one number of 64.
const wide = 2 ** 32;
const pair = ({ location_id, unit_id }: UnitAt): bigint => BigInt(location_id) * BigInt(wide) + BigInt(unit_id);
