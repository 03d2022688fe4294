// A selection as SQL: its parts, and the rows of roll-ups and of postings that it selects. Queries over them are built
// once for a shape, so every value goes through a slot.

import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { beyondIndex } from '../../../database/beyond-index.ts';
import type { Db } from '../../../database/dialect.ts';
import type { At, Values } from '../../../database/prepared.ts';
import type { Tables } from '../../../database/tables.ts';
import { classCount, classesOf, kindCode } from '../rules/kinds.ts';
import { grains, segmentsOf, type Segment } from '../rules/rollups.ts';
import type { Interval, Selection } from '../selection.ts';

/** A selection with everything resolved that only the database knows. */
export type Resolved = Pick<Selection, 'bankId' | 'place' | 'kinds'> & {
  readonly time: { readonly interval: Interval } | { readonly storedPeriod: number };
  /** Of one resident alone, and only while the identity is kept. */
  readonly user: { readonly userId: number; readonly recordedFrom: number; readonly now: number } | undefined;
};

export type Rows<T> = SelectQueryBuilder<Tables, never, T>;

export function unionOf<T>(parts: readonly Rows<T>[]): Rows<T> {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a union of nothing');
  return others.reduce((union, part) => union.unionAll(part), first);
}

export type Part = Segment | { readonly grain: 'period'; readonly bucket: number } | { readonly grain: 'raw' };

/** A selection's roll-up segments, or one raw part where a resident is selected: those no roll-up knows. */
export function partsOf({ time, place, user }: Resolved): Part[] {
  if (user !== undefined) return [{ grain: 'raw', ...('interval' in time ? time.interval : {}) }];
  return 'storedPeriod' in time
    ? [{ grain: 'period', bucket: time.storedPeriod }]
    : segmentsOf(place.level, time.interval.from, time.interval.to);
}

/** All that a query's text depends on; everything else is a value. */
export function shapeOf({ time, place, user, kinds }: Resolved, parts: readonly Part[]): string {
  const places = place.level === 'location' ? `location*${place.locationIds.length}` : place.level;
  const { kind, includeZero, includeBookings, includeMonthly } = kinds;
  const flags = [kind, includeZero, includeBookings, includeMonthly].join(',');
  const when = 'interval' in time ? 'interval' : 'period';
  return [when, places, user === undefined ? 'all' : 'user', flags, ...parts.map(({ grain }) => grain)].join(' ');
}

export function valuesOf(
  { bankId, time, place, kinds, user }: Resolved,
  parts: readonly Part[],
  more: Values = {},
): Values {
  const values: Record<string, unknown> = { bank: bankId, ...user, ...more };
  if ('storedPeriod' in time) values['period'] = time.storedPeriod;
  if (place.level === 'unit') Object.assign(values, { location0: place.locationId, unit: place.unitId });
  if (place.level === 'location') for (const [at, id] of place.locationIds.entries()) values[`location${at}`] = id;
  for (const [at, id] of classesOf(kinds).entries()) values[`class${at}`] = id;
  for (const [at, part] of parts.entries()) {
    if (part.grain === 'period') values[`first${at}`] = part.bucket;
    else if (part.grain !== 'raw')
      Object.assign(values, { [`first${at}`]: part.firstBucket, [`end${at}`]: part.endBucket });
    else if ('from' in part) Object.assign(values, { [`from${at}`]: part.from, [`to${at}`]: part.to });
  }
  return values;
}

export function rollupRows(db: Db, { place, kinds }: Resolved, at: At, index: number, grain: keyof typeof grains) {
  const classes = classesOf(kinds);
  let rows = db
    .selectFrom('posting_rollups')
    .where('bank_id', '=', at<number>('bank'))
    .where('grain', '=', sql.lit(grains[grain]));
  if (place.level === 'bank') rows = rows.where('location_id', '=', sql.lit(0)).where('unit_id', '=', sql.lit(0));
  else if (place.level === 'unit')
    rows = rows.where('location_id', '=', at<number>('location0')).where('unit_id', '=', at<number>('unit'));
  else
    rows = rows.where('location_id', 'in', listed(at, 'location', place.locationIds)).where('unit_id', '=', sql.lit(0));
  const first = at<number>(`first${index}`);
  rows =
    grain === 'period'
      ? rows.where('bucket', '=', first)
      : rows.where('bucket', '>=', first).where('bucket', '<', at<number>(`end${index}`));
  return classes.length === classCount ? rows : rows.where('posting_class', 'in', listed(at, 'class', classes));
}

const listed = (at: At, name: string, items: readonly unknown[]) =>
  sql<number>`(${sql.join(items.map((_, index) => at(`${name}${index}`)))})`;

/**
 * The selected postings themselves: of a raw part's interval, or of the whole selection where that has none. Those of a
 * resident are searched for from one end of the interval.
 */
export function rawRows(
  db: Db,
  { time, place, kinds, user }: Resolved,
  at: At,
  index: number,
  searchedFrom: 'beginning' | 'end' = 'beginning',
) {
  let rows = db
    .selectFrom('postings')
    .where('postings.bank_id', '=', at<number>('bank'))
    .where(sql<SqlBool>`${db.words.stoppable(sql.ref('posting_id'))}`);
  // A resident's are few: found by the resident, with one bound of time.
  const bound = (column: 'recorded_at' | 'period', isSearched: boolean) =>
    user === undefined || isSearched ? sql.ref<number>(column) : beyondIndex(column);
  if ('interval' in time)
    rows = rows
      .where(bound('recorded_at', searchedFrom === 'beginning'), '>=', at<number>(`from${index}`))
      .where(bound('recorded_at', searchedFrom === 'end'), '<', at<number>(`to${index}`));
  else rows = rows.where(bound('period', false), '=', at<number>('period'));
  if (place.level === 'location')
    rows = rows.where('postings.location_id', 'in', listed(at, 'location', place.locationIds));
  if (place.level === 'unit')
    rows = rows.where('postings.location_id', '=', at<number>('location0')).where('unit_id', '=', at<number>('unit'));
  if (kinds.kind === 'debit') rows = rows.where('amount_minor', '<', sql.lit(0));
  if (kinds.kind === 'credit') rows = rows.where('amount_minor', '>', sql.lit(0));
  if (!kinds.includeZero) rows = rows.where('amount_minor', '<>', sql.lit(0));
  if (!kinds.includeBookings) rows = rows.where('kind', '<>', sql.lit(kindCode('Booking')));
  if (!kinds.includeMonthly) rows = rows.where('kind', '<>', sql.lit(kindCode('Month')));
  if (user === undefined) return rows;
  return rows
    .where('user_id', '=', at<number>('userId'))
    .where(beyondIndex('recorded_at'), '>=', at<number>('recordedFrom'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('residents')
            .select(sql<number>`1`.as('one'))
            .where('residents.bank_id', '=', at<number>('bank'))
            .where('resident_id', '=', at<number>('userId'))
            .where('expired_at', '<=', at<number>('now')),
        ),
      ),
    );
}

export const isEmpty = ({ place, user }: Resolved): boolean =>
  (place.level === 'location' && place.locationIds.length === 0) || user?.recordedFrom === Number.POSITIVE_INFINITY;
