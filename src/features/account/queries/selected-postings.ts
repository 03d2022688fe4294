// Builds the SQL of a selection over postings and over roll-ups. Queries are prepared once for each shape, so every value
// is a parameter.

import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { selectExpiredIdentities } from '../../residents/queries/identities.ts';
import { withoutIndex } from '../../../database/statements/without-index.ts';
import type { Db } from '../../../database/db.ts';
import type { BindParameter, ParameterValues } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import { postingClassCount, listPostingClasses, kindCode } from '../rules/posting-kinds.ts';
import { grains, splitIntoSegments, type Segment } from '../rules/time-buckets.ts';
import type { TimeInterval, PostingFilter } from '../rules/account-selection.ts';

/** A selection with everything that only the database knows. */
export type ResolvedSelection = PostingFilter & {
  /** With both, the postings of the period that lie in the interval. */
  readonly time:
    | { readonly interval: TimeInterval }
    | { readonly storedPeriod: number }
    | { readonly interval: TimeInterval; readonly storedPeriod: number };
  /** The rows of one user whose identity has not expired. */
  readonly residentFilter:
    | { readonly residentId: number; readonly recordedFrom: number; readonly now: number }
    | undefined;
};

export type RowsQuery<T> = SelectQueryBuilder<Tables, never, T>;

export type SelectionPart = Segment | { readonly grain: 'period'; readonly bucket: number } | { readonly grain: 'raw' };

/**
 * The roll-up segments of a selection. Roll-ups do not know users, nor the times of a period's postings, so a selection by
 * user, or by period and interval, is one raw part.
 */
export function listSelectionParts({ time, place, residentFilter }: ResolvedSelection): SelectionPart[] {
  if (residentFilter !== undefined || ('interval' in time && 'storedPeriod' in time))
    return [{ grain: 'raw', ...('interval' in time ? time.interval : {}) }];
  return 'storedPeriod' in time
    ? [{ grain: 'period', bucket: time.storedPeriod }]
    : splitIntoSegments(place.level, time.interval.from, time.interval.to);
}

/** Everything that the text of a query depends on. */
export function formatQueryShape(
  { time, place, residentFilter, kinds }: ResolvedSelection,
  parts: readonly SelectionPart[],
): string {
  const places = place.level === 'location' ? `location*${place.locationIds.length}` : place.level;
  const { kind, includeZero, includeBookings, includeMonthly } = kinds;
  const flags = [kind, includeZero, includeBookings, includeMonthly].join(',');
  const when = Object.keys(time).toSorted().join('+');
  return [when, places, residentFilter === undefined ? 'all' : 'user', flags, ...parts.map(({ grain }) => grain)].join(
    ' ',
  );
}

export function listQueryValues(
  { bank, time, place, kinds, residentFilter }: ResolvedSelection,
  parts: readonly SelectionPart[],
  extraValues: ParameterValues = {},
): ParameterValues {
  const values: Record<string, unknown> = { bank: bank.bankId, ...extraValues };
  if (residentFilter !== undefined) {
    const { residentId, recordedFrom, now } = residentFilter;
    Object.assign(values, { residentId, recordedFrom, now });
  }
  if ('storedPeriod' in time) values['period'] = time.storedPeriod;
  if (place.level === 'unit') Object.assign(values, { location0: place.locationId, unit: place.unitId });
  if (place.level === 'location')
    for (const [index, id] of place.locationIds.entries()) values[`location${index}`] = id;
  for (const [index, id] of listPostingClasses(kinds).entries()) values[`class${index}`] = id;
  for (const [index, part] of parts.entries()) {
    if (part.grain === 'period') values[`first${index}`] = part.bucket;
    else if (part.grain !== 'raw')
      Object.assign(values, { [`first${index}`]: part.firstBucket, [`end${index}`]: part.endBucket });
    else if ('from' in part) Object.assign(values, { [`from${index}`]: part.from, [`to${index}`]: part.to });
  }
  return values;
}

/** A part of a selection, with its index among the parts. */
export type RollupPart = { readonly index: number; readonly grain: keyof typeof grains };

export function selectRollups(
  db: Db,
  { place, kinds }: ResolvedSelection,
  bind: BindParameter,
  { index, grain }: RollupPart,
) {
  const classes = listPostingClasses(kinds);
  let rows = db
    .selectFrom('posting_rollups')
    .where('bank_id', '=', bind<number>('bank'))
    .where('grain', '=', sql.lit(grains[grain]));
  if (place.level === 'bank') rows = rows.where('location_id', '=', sql.lit(0)).where('unit_id', '=', sql.lit(0));
  else if (place.level === 'unit')
    rows = rows.where('location_id', '=', bind<number>('location0')).where('unit_id', '=', bind<number>('unit'));
  else
    rows = rows
      .where('location_id', 'in', formatInList(bind, 'location', place.locationIds))
      .where('unit_id', '=', sql.lit(0));
  const first = bind<number>(`first${index}`);
  rows =
    grain === 'period'
      ? rows.where('bucket', '=', first)
      : rows.where('bucket', '>=', first).where('bucket', '<', bind<number>(`end${index}`));
  return classes.length === postingClassCount
    ? rows
    : rows.where('posting_class', 'in', formatInList(bind, 'class', classes));
}

const formatInList = (bind: BindParameter, name: string, items: readonly unknown[]) =>
  sql<number>`(${sql.join(items.map((_, index) => bind(`${name}${index}`)))})`;

type PostingPart = { readonly index?: number; readonly searchedFrom?: 'beginning' | 'end' };

/**
 * The selected postings: of a raw part's interval, or of the whole selection if the part has none. `searchedFrom` is the
 * end of the interval that limits the index of a user's postings.
 */
export function selectPostings(
  db: Db,
  { time, place, kinds, residentFilter }: ResolvedSelection,
  bind: BindParameter,
  { index = 0, searchedFrom = 'beginning' }: PostingPart = {},
) {
  let rows = db
    .selectFrom('postings')
    .where('postings.bank_id', '=', bind<number>('bank'))
    .where(sql<SqlBool>`${db.dialect.interruptCheck(sql.ref('posting_id'))}`);
  // A user has few postings: the index by user finds them, with one bound of time.
  const boundColumn = (column: 'recorded_at' | 'period', isSearched: boolean) =>
    residentFilter === undefined || isSearched ? sql.ref<number>(column) : withoutIndex(column);
  if ('interval' in time)
    rows = rows
      .where(boundColumn('recorded_at', searchedFrom === 'beginning'), '>=', bind<number>(`from${index}`))
      .where(boundColumn('recorded_at', searchedFrom === 'end'), '<', bind<number>(`to${index}`));
  if ('storedPeriod' in time) rows = rows.where(boundColumn('period', false), '=', bind<number>('period'));
  if (place.level === 'location')
    rows = rows.where('postings.location_id', 'in', formatInList(bind, 'location', place.locationIds));
  if (place.level === 'unit')
    rows = rows
      .where('postings.location_id', '=', bind<number>('location0'))
      .where('unit_id', '=', bind<number>('unit'));
  if (kinds.kind === 'debit') rows = rows.where('amount_minor', '<', sql.lit(0));
  if (kinds.kind === 'credit') rows = rows.where('amount_minor', '>', sql.lit(0));
  if (!kinds.includeZero) rows = rows.where('amount_minor', '<>', sql.lit(0));
  if (!kinds.includeBookings) rows = rows.where('kind', '<>', sql.lit(kindCode('Booking')));
  if (!kinds.includeMonthly) rows = rows.where('kind', '<>', sql.lit(kindCode('Month')));
  if (residentFilter === undefined) return rows;
  return rows
    .where('user_id', '=', bind<number>('residentId'))
    .where(withoutIndex('recorded_at'), '>=', bind<number>('recordedFrom'))
    .where(({ not, exists }) =>
      not(
        exists(
          selectExpiredIdentities(db, { bankId: bind('bank'), now: bind('now') })
            .select(sql<number>`1`.as('one'))
            .where('resident_id', '=', bind<number>('residentId')),
        ),
      ),
    );
}

export const isEmptySelection = ({ place, residentFilter }: ResolvedSelection): boolean =>
  (place.level === 'location' && place.locationIds.length === 0) ||
  residentFilter?.recordedFrom === Number.POSITIVE_INFINITY;
