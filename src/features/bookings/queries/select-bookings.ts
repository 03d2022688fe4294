// Builds the query that selects the bookings which match criteria. The database uses the index of the most selective
// criterion, and no name is looked up yet.

import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { withoutIndex, textWithoutIndex } from '../../../database/statements/without-index.ts';
import type { Db } from '../../../database/db.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import type { BookingCriteria, BookingFilter } from '../rules/booking-criteria.ts';
import { maxBookingLengthMs } from '../rules/slots.ts';
import type { UnitInBankKey } from '../rules/unit-in-bank.ts';

/** `direction`: the order of starts in which the index is read. */
export function selectBookings(db: Db, criteria: BookingCriteria, direction: SortDirection = 'asc') {
  const { bank, locationIds, deletedLocationIds, unitId, residentId, state, filters, now } = criteria;
  const { from, to } = startIntervalOf(criteria);
  let query = db
    .selectFrom('bookings')
    .where('bank_id', '=', bank.bankId)
    .where(startColumn(criteria, direction === 'asc'), '>=', from)
    .where(startColumn(criteria, direction === 'desc'), '<', to)
    .where(db.dialect.interruptCheck(sql.ref('booking_id')));
  if (locationIds !== undefined) query = query.where(inLocations(criteria, locationIds));
  else if (deletedLocationIds.length > 0)
    query = query.where(withoutIndex('location_id'), 'not in', deletedLocationIds);
  if (unitId !== undefined) query = query.where('unit_id', '=', unitId);
  if (residentId !== undefined) query = query.where('user_id', '=', residentId);
  if (state !== 'all') query = query.where(stateColumn(criteria), '=', state === 'Cancelled' ? 'Cancelled' : 'Booked');
  if (state === 'Booked') query = query.where('end_at', '>', now);
  if (state === 'Completed') query = query.where('end_at', '<=', now);
  for (const filter of filters) query = query.where(matchesFilterSql(db, filter, criteria.identityCutoff));
  return query;
}

/** A completed booking has started; a booked one started at most the longest booking ago. */
function startIntervalOf({ from, to, state, now }: BookingCriteria): Pick<BookingCriteria, 'from' | 'to'> {
  if (state === 'Booked') return { from: Math.max(from, now - maxBookingLengthMs), to };
  if (state === 'Completed') return { from, to: Math.min(to, now) };
  return { from, to };
}

/**
 * An index that begins with another column is read from one bound of the interval; the other bound is only compared.
 */
const startColumn = (criteria: BookingCriteria, isScanStart: boolean): RawBuilder<number> =>
  isScanStart || !hasSelectiveCriterion(criteria) ? sql.ref<number>('start_at') : withoutIndex('start_at');

const hasSelectiveCriterion = (criteria: BookingCriteria): boolean =>
  criteria.state !== 'all' || hasResidentOrLocationCriterion(criteria);

/** Whether a criterion is more selective than the state. */
const hasResidentOrLocationCriterion = (criteria: BookingCriteria): boolean =>
  criteria.residentId !== undefined || usesLocationIndex(criteria) || criteria.filters.some(isResidentFilter);

const stateColumn = (criteria: BookingCriteria): RawBuilder<string> =>
  hasResidentOrLocationCriterion(criteria) ? textWithoutIndex('state') : sql.ref<string>('state');

const isResidentFilter = ({ units, residentIds, includesAnonymous }: BookingFilter): boolean =>
  units.length === 0 && residentIds.length > 0 && !includesAnonymous;

/**
 * Up to so many locations are each read by the index of locations; for more, the index of the bank's starts is faster.
 */
const maxIndexedLocations = 8;

export const usesLocationIndex = ({ locationIds, residentId }: BookingCriteria): boolean =>
  residentId === undefined && locationIds !== undefined && locationIds.length <= maxIndexedLocations;

function inLocations(criteria: BookingCriteria, locationIds: readonly number[]): Expression<SqlBool> {
  const column = usesLocationIndex(criteria) ? sql.ref<number>('location_id') : withoutIndex('location_id');
  return sql<SqlBool>`${column} in (${sql.join(locationIds)})`;
}

function matchesFilterSql(
  { dialect }: Db,
  { units, residentIds, includesAnonymous }: BookingFilter,
  cutoff: number,
): Expression<SqlBool> {
  const alternatives: Expression<SqlBool>[] = [];
  if (units.length > 0)
    alternatives.push(dialect.inList(sql`location_id * ${sql.lit(unitKeyFactor)} + unit_id`, units.map(packUnitKey)));
  if (residentIds.length > 0)
    alternatives.push(
      sql`${dialect.inList(sql.ref('user_id'), residentIds)} and ${withoutIndex('start_at')} >= ${cutoff}`,
    );
  if (includesAnonymous) alternatives.push(sql`start_at < ${cutoff}`);
  return alternatives.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`;
}

// Ids have 31 bits, so that two of them fit into one 64-bit integer.
const unitKeyFactor = 2 ** 32;
const packUnitKey = ({ location_id, unit_id }: UnitInBankKey): bigint =>
  BigInt(location_id) * BigInt(unitKeyFactor) + BigInt(unit_id);
