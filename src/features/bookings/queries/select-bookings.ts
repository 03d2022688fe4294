// Which bookings a list selects, as SQL: by the index of what narrows them most, before any name is looked up.

import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { withoutIndex, textWithoutIndex } from '../../../database/without-index.ts';
import type { Db } from '../../../database/db.ts';
import type { DisplayedState } from '../rules/commands.ts';
import { maxBookingLengthMs } from '../rules/slots.ts';

export type UnitInBankKey = { readonly location_id: number; readonly unit_id: number };

/** Of one of these units, or of one of these users while they are named, or, where it is asked for, of nobody named. */
export type BookingFilter = {
  readonly units: readonly UnitInBankKey[];
  readonly userIds: readonly number[];
  readonly includesAnonymous: boolean;
};

export type BookingCriteria = {
  readonly bankId: number;
  /** The first instant of a start, and the first that is too late. */
  readonly from: number;
  readonly to: number;
  /** Bookings that start before it are shown without identity. It lies between `from` and `to`. */
  readonly identityCutoff: number;
  /** Undefined is every location but those that are hidden. */
  readonly locationIds: readonly number[] | undefined;
  readonly deletedLocationIds: readonly number[];
  readonly unitId: number | undefined;
  readonly userId: number | undefined;
  readonly state: DisplayedState | 'all';
  /** Each of them has to hold. */
  readonly filters: readonly BookingFilter[];
  readonly now: number;
};

export type SortDirection = 'asc' | 'desc';

/** `direction`: in which the bookings are gone through. */
export function selectBookings(db: Db, criteria: BookingCriteria, direction: SortDirection = 'asc') {
  const { bankId, locationIds, deletedLocationIds, unitId, userId, state, filters, now } = criteria;
  const { from, to } = startIntervalOf(criteria);
  let query = db
    .selectFrom('bookings')
    .where('bank_id', '=', bankId)
    .where(startColumn(criteria, direction === 'asc'), '>=', from)
    .where(startColumn(criteria, direction === 'desc'), '<', to)
    .where(db.dialect.interruptCheck(sql.ref('booking_id')));
  if (locationIds !== undefined) query = query.where(inLocations(criteria, locationIds));
  else if (deletedLocationIds.length > 0)
    query = query.where(withoutIndex('location_id'), 'not in', deletedLocationIds);
  if (unitId !== undefined) query = query.where('unit_id', '=', unitId);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (state !== 'all') query = query.where(stateColumn(criteria), '=', state === 'Cancelled' ? 'Cancelled' : 'Booked');
  if (state === 'Booked') query = query.where('end_at', '>', now);
  if (state === 'Completed') query = query.where('end_at', '<=', now);
  for (const narrowing of filters) query = query.where(matchesFilterSql(db, narrowing, criteria.identityCutoff));
  return query;
}

export const isEmptySelection = ({ locationIds, from, to }: BookingCriteria): boolean =>
  locationIds?.length === 0 || from >= to;

/** What is over has begun, and what is not began no longer ago than the longest booking takes. */
function startIntervalOf({ from, to, state, now }: BookingCriteria): Pick<BookingCriteria, 'from' | 'to'> {
  if (state === 'Booked') return { from: Math.max(from, now - maxBookingLengthMs), to };
  if (state === 'Completed') return { from, to: Math.min(to, now) };
  return { from, to };
}

/** An index that begins with something narrower is gone through from one bound of time on; the other is no help there. */
const startColumn = (wanted: BookingCriteria, isScanStart: boolean): RawBuilder<number> =>
  isScanStart || !hasSelectiveCriterion(wanted) ? sql.ref<number>('start_at') : withoutIndex('start_at');

const hasSelectiveCriterion = (wanted: BookingCriteria): boolean =>
  wanted.state !== 'all' || hasUserOrLocationCriterion(wanted);

/** Than a state. */
const hasUserOrLocationCriterion = (wanted: BookingCriteria): boolean =>
  wanted.userId !== undefined || usesLocationIndex(wanted) || wanted.filters.some(isUserFilter);

const stateColumn = (wanted: BookingCriteria): RawBuilder<string> =>
  hasUserOrLocationCriterion(wanted) ? textWithoutIndex('state') : sql.ref<string>('state');

const isUserFilter = ({ units, userIds, includesAnonymous }: BookingFilter): boolean =>
  units.length === 0 && userIds.length > 0 && !includesAnonymous;

/** Through so many locations each is gone by its own index; through more, the bank's bookings are in their order. */
const maxIndexedLocations = 8;

export const usesLocationIndex = ({ locationIds, userId }: BookingCriteria): boolean =>
  userId === undefined && locationIds !== undefined && locationIds.length <= maxIndexedLocations;

function inLocations(wanted: BookingCriteria, locationIds: readonly number[]): Expression<SqlBool> {
  const column = usesLocationIndex(wanted) ? sql.ref<number>('location_id') : withoutIndex('location_id');
  return sql<SqlBool>`${column} in (${sql.join(locationIds)})`;
}

function matchesFilterSql(
  { dialect }: Db,
  { units, userIds, includesAnonymous }: BookingFilter,
  cutoff: number,
): Expression<SqlBool> {
  const alternatives: Expression<SqlBool>[] = [];
  if (units.length > 0)
    alternatives.push(dialect.inList(sql`location_id * ${sql.lit(unitKeyFactor)} + unit_id`, units.map(packUnitKey)));
  if (userIds.length > 0)
    alternatives.push(sql`${dialect.inList(sql.ref('user_id'), userIds)} and ${withoutIndex('start_at')} >= ${cutoff}`);
  if (includesAnonymous) alternatives.push(sql`start_at < ${cutoff}`);
  return alternatives.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`;
}

// Ids have 31 bits, so that two of them are one number of 64.
const unitKeyFactor = 2 ** 32;
const packUnitKey = ({ location_id, unit_id }: UnitInBankKey): bigint =>
  BigInt(location_id) * BigInt(unitKeyFactor) + BigInt(unit_id);
