// SQL over a bank's ledger: the head, sums and counts from the roll-ups with raw edges, and one page of rows.

import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../database/dialect.ts';
import { runPrepared, type At, type Values } from '../../database/prepared.ts';
import type { Tables } from '../../database/tables.ts';
import { reachOf, type Reach } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';
import { classCount, classesOf, kindCode, signs } from './rules/kinds.ts';
import { grains, segmentsOf, type Segment, type Share } from './rules/rollups.ts';
import type { Interval, Selection } from './selection.ts';

/** A selection with everything resolved that only the database knows. */
export type Resolved = Pick<Selection, 'bankId' | 'place' | 'kinds'> & {
  readonly time: { readonly interval: Interval } | { readonly storedPeriod: number };
  /** Of one resident alone, and only while the identity is kept. */
  readonly user: { readonly userId: number; readonly recordedFrom: number; readonly now: number } | undefined;
};

export const retentionSetting = 'accountingRetentionDays';

export type Head = {
  readonly deleted_at: number | null;
  readonly places_version: number;
  readonly open_period: number;
  readonly opened_at: number;
  readonly retention: string | null;
  /** How many of the bank's identities have expired: a number that only grows. */
  readonly expired: number;
};

/** A bank's state as account reads need it; undefined where it is missing, deleted or out of reach. */
export async function readHead(db: Db, { grants }: Scope, bankId: number, now: number): Promise<Head | undefined> {
  if (reachOf(grants, bankId) === undefined) return undefined;
  return db
    .selectFrom('banks')
    .innerJoin('ledgers', 'ledgers.bank_id', 'banks.bank_id')
    .select(['deleted_at', 'places_version', 'open_period', 'opened_at'])
    .select((eb) => [
      eb.selectFrom('tenant_settings').select('value').where('name', '=', retentionSetting).as('retention'),
      eb
        .selectFrom('residents')
        .select(({ fn }) => fn.countAll<number>().as('expired'))
        .where('residents.bank_id', '=', bankId)
        .where('expired_at', '<=', now)
        .$asScalar()
        .$notNull()
        .as('expired'),
    ])
    .where('banks.bank_id', '=', bankId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export type PeriodRow = { readonly period: number; readonly from_at: number; readonly through_at: number };

const maxOfferedPeriods = 100;

/** The latest closed periods; for some locations alone, those that hold a posting of theirs. */
export function listOfferedPeriods(db: Db, bankId: number, reach: Reach): Promise<PeriodRow[]> {
  let query = db
    .selectFrom('settlement_periods as closed')
    .select(['period', 'from_at', 'through_at'])
    .where('bank_id', '=', bankId)
    .orderBy('period', 'desc')
    .limit(maxOfferedPeriods);
  if (reach !== 'all') {
    const locations = [...(reach ?? [])];
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('posting_rollups as r')
          .select(sql<number>`1`.as('one'))
          .where('r.bank_id', '=', bankId)
          .where('r.location_id', 'in', locations.length === 0 ? [-1] : locations)
          .where('r.unit_id', '=', 0)
          .where('r.grain', '=', grains.period)
          .whereRef('r.bucket', '=', 'closed.period'),
      ),
    );
  }
  return query.execute();
}

/** The time that a period's postings span, late arrivals among them; undefined where it has none. */
export async function findPeriodSpan(db: Db, bankId: number, storedPeriod: number): Promise<Interval | undefined> {
  const rows = db
    .selectFrom('postings')
    .where('bank_id', '=', bankId)
    .where('period', '=', storedPeriod)
    .where(sql<SqlBool>`${db.words.stoppable(sql.ref('posting_id'))}`);
  const { first = null, last = null } =
    (await db
      .selectNoFrom([
        rows.select(({ fn }) => fn.min('recorded_at').as('first')).as('first'),
        rows.select(({ fn }) => fn.max('recorded_at').as('last')).as('last'),
      ])
      .executeTakeFirst()) ?? {};
  return first === null || last === null ? undefined : { from: first, to: last + 1 };
}

/** The deleted places of a bank that postings still name: location ids with unit 0, and units, as `location/unit`. */
export async function listPostedDeletedPlaces(db: Db, bankId: number): Promise<Set<string>> {
  const locations = db
    .selectFrom('locations as place')
    .select(['place.location_id', sql<number>`0`.as('unit_id')])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(postedAt(db, sql`0`)));
  const units = db
    .selectFrom('units as place')
    .select(['place.location_id', 'place.unit_id'])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(postedAt(db, sql.ref('place.unit_id'))));
  const rows = await locations.unionAll(units).execute();
  return new Set(rows.map(({ location_id, unit_id }) => `${location_id}/${unit_id}`));
}

/** Whether there is a roll-up of `place`, asked for by the whole beginning of its key. */
function postedAt(db: Db, unitId: RawBuilder<unknown>) {
  return db
    .selectFrom('posting_rollups as r')
    .select(sql<number>`1`.as('one'))
    .where(sql<SqlBool>`r.bank_id = place.bank_id and r.location_id = place.location_id and r.unit_id = ${unitId}`)
    .where('r.grain', '=', sql.lit(grains.period));
}

/** Sums and fingerprints of the selected set, in shares that addShares puts together. */
export async function readShares(db: Db, selection: Resolved): Promise<Share[]> {
  const parts = isEmpty(selection) ? [] : partsOf(selection);
  if (parts.length === 0) return [];
  return runPrepared(db, `shares ${shapeOf(selection, parts)}`, valuesOf(selection, parts), (at) =>
    unionOf(
      parts.map((part, index) =>
        part.grain === 'raw' ? rawShares(db, selection, at, index) : rollupShares(db, selection, at, index),
      ),
    ),
  );
}

type Rows<T> = SelectQueryBuilder<Tables, never, T>;

function unionOf<T>(parts: readonly Rows<T>[]): Rows<T> {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a union of nothing');
  return others.reduce((union, part) => union.unionAll(part), first);
}

type Part = Segment | { readonly grain: 'period'; readonly bucket: number } | { readonly grain: 'raw' };

/** A selection's roll-up segments, or one raw part where a resident is selected: those no roll-up knows. */
function partsOf({ time, place, user }: Resolved): Part[] {
  if (user !== undefined) return [{ grain: 'raw', ...('interval' in time ? time.interval : {}) }];
  return 'storedPeriod' in time
    ? [{ grain: 'period', bucket: time.storedPeriod }]
    : segmentsOf(place.level, time.interval.from, time.interval.to);
}

/** All that a query's text depends on; everything else is a value. */
function shapeOf({ time, place, user, kinds }: Resolved, parts: readonly Part[]): string {
  const places = place.level === 'location' ? `location*${place.locationIds.length}` : place.level;
  const { kind, includeZero, includeBookings, includeMonthly } = kinds;
  const flags = [kind, includeZero, includeBookings, includeMonthly].join(',');
  const when = 'interval' in time ? 'interval' : 'period';
  return [when, places, user === undefined ? 'all' : 'user', flags, ...parts.map(({ grain }) => grain)].join(' ');
}

function valuesOf({ bankId, time, place, kinds, user }: Resolved, parts: readonly Part[], more: Values = {}): Values {
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

function rawShares(db: Db, selection: Resolved, at: At, index: number): Rows<Share> {
  const { highHalf, lowHalf } = db.words;
  const amount = sql.ref('amount_minor');
  const fingerprint = sql.ref('fingerprint');
  const sum = (half: ReturnType<typeof highHalf>) => sql<number>`sum(${half})`;
  return rawRows(db, selection, at, index)
    .select('currency')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sum(highHalf(amount)).as('amount_high'),
      sum(lowHalf(amount)).as('amount_low'),
      sum(highHalf(fingerprint)).as('fingerprint_high'),
      sum(lowHalf(fingerprint)).as('fingerprint_low'),
    ])
    .groupBy(['currency', sql`amount_minor < 0`]);
}

function rollupRows(db: Db, { place, kinds }: Resolved, at: At, index: number, grain: keyof typeof grains) {
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

function rollupShares(db: Db, selection: Resolved, at: At, index: number): Rows<Share> {
  const grain = partsOf(selection)[index]?.grain;
  if (grain === undefined || grain === 'raw') throw new Error('only a roll-up has its shares here');
  return rollupRows(db, selection, at, index, grain)
    .select('currency')
    .select(({ fn }) => [
      fn.sum<number>('count').as('count'),
      fn.sum<number>('amount_high').as('amount_high'),
      fn.sum<number>('amount_low').as('amount_low'),
      fn.sum<number>('fingerprint_high').as('fingerprint_high'),
      fn.sum<number>('fingerprint_low').as('fingerprint_low'),
    ])
    .groupBy(['currency', sql`posting_class % 3 = ${sql.lit(signs.debit)}`]);
}

/** The selected postings themselves: of a raw part's interval, or of the whole selection where that has none. */
function rawRows(db: Db, { time, place, kinds, user }: Resolved, at: At, index: number) {
  let rows = db
    .selectFrom('postings')
    .where('postings.bank_id', '=', at<number>('bank'))
    .where(sql<SqlBool>`${db.words.stoppable(sql.ref('posting_id'))}`);
  if ('interval' in time)
    rows = rows
      .where('recorded_at', '>=', at<number>(`from${index}`))
      .where('recorded_at', '<', at<number>(`to${index}`));
  else rows = rows.where('period', '=', at<number>('period'));
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
    .where('recorded_at', '>=', at<number>('recordedFrom'))
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

const isEmpty = ({ place, user }: Resolved): boolean =>
  (place.level === 'location' && place.locationIds.length === 0) || user?.recordedFrom === Number.POSITIVE_INFINITY;

/** How many selected postings each bucket of the segments holds, by `segment/bucket`. */
export async function countBuckets(
  db: Db,
  selection: Resolved,
  segments: readonly Segment[],
): Promise<Map<string, number>> {
  if (segments.length === 0) return new Map();
  const rows = await runPrepared(db, `counts ${shapeOf(selection, segments)}`, valuesOf(selection, segments), (at) =>
    unionOf(segments.map(({ grain }, index) => countsOf(db, selection, at, index, grain))),
  );
  return new Map(rows.map(({ segment, of_bucket, held }) => [`${segment}/${of_bucket}`, held]));
}

type Counts = { readonly segment: number; readonly of_bucket: number; readonly held: number };

function countsOf(db: Db, selection: Resolved, at: At, index: number, grain: Segment['grain']): Rows<Counts> {
  const segment = sql<number>`${sql.lit(index)}`.as('segment');
  if (grain === 'raw') {
    const counted = rawRows(db, selection, at, index).select(({ fn }) => [
      segment,
      sql<number>`0`.as('of_bucket'),
      fn.countAll<number>().as('held'),
    ]);
    return counted;
  }
  const counted = rollupRows(db, selection, at, index, grain).select(({ fn }) => [
    segment,
    'bucket as of_bucket',
    fn.sum<number>('count').as('held'),
  ]);
  return counted.groupBy('bucket');
}

export type PostingRow = Pick<
  Tables['postings'],
  | 'posting_id'
  | 'recorded_at'
  | 'location_id'
  | 'unit_id'
  | 'user_id'
  | 'kind'
  | 'payment_kind'
  | 'currency'
  | 'amount_minor'
  | 'vat_minor'
  | 'period'
  | 'document_id'
  | 'text'
  | 'internal_tag'
  | 'reversal_of'
> & {
  readonly resident_name: string | null;
  readonly resident_expired_at: number | null;
  readonly reversed_by: number | null;
  /** When the other side of a reversal was recorded. */
  readonly reversed_at: number | null;
  readonly original_at: number | null;
};

/** The selection cut off at an instant: one bound, as an index is searched by one. */
function endingBefore(selection: Resolved, before: number | undefined): Resolved {
  if (before === undefined || !('interval' in selection.time)) return selection;
  const { from, to } = selection.time.interval;
  return { ...selection, time: { interval: { from, to: Math.min(to, before) } } };
}

/** One page of rows, newest first, then by location and unit. `before` cuts off what a deep offset skips. */
export async function listPostings(
  db: Db,
  selection: Resolved,
  page: { readonly offset: number; readonly limit: number; readonly before?: number },
): Promise<PostingRow[]> {
  if (isEmpty(selection)) return [];
  const cut = endingBefore(selection, page.before);
  const parts: Part[] = [{ grain: 'raw', ...('interval' in cut.time ? cut.time.interval : {}) }];
  const { offset, limit } = page;
  return runPrepared(db, `page ${shapeOf(cut, parts)}`, valuesOf(cut, parts, { offset, limit }), (at) =>
    pageQuery(db, cut, at),
  );
}

const storedColumns = [
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'user_id',
  'kind',
  'payment_kind',
  'currency',
  'amount_minor',
  'vat_minor',
  'period',
  'document_id',
  'text',
  'internal_tag',
  'reversal_of',
] as const;

function pageQuery(db: Db, selection: Resolved, at: At) {
  const found = rawRows(db, selection, at, 0)
    .select(['postings.bank_id', ...storedColumns])
    .orderBy('recorded_at', 'desc')
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('posting_id', 'desc')
    .limit(at<number>('limit'))
    .offset(at<number>('offset'));
  return db
    .selectFrom(found.as('p'))
    .leftJoin('residents as r', (join) =>
      join.onRef('r.bank_id', '=', 'p.bank_id').onRef('r.resident_id', '=', 'p.user_id'),
    )
    .leftJoin('postings as back', (join) =>
      join.onRef('back.bank_id', '=', 'p.bank_id').onRef('back.reversal_of', '=', 'p.posting_id'),
    )
    .leftJoin('postings as original', (join) =>
      join.onRef('original.bank_id', '=', 'p.bank_id').onRef('original.posting_id', '=', 'p.reversal_of'),
    )
    .select(storedColumns.map((column) => `p.${column}` as const))
    .select([
      'r.name as resident_name',
      'r.expired_at as resident_expired_at',
      'back.posting_id as reversed_by',
      'back.recorded_at as reversed_at',
      'original.recorded_at as original_at',
    ])
    .orderBy('p.recorded_at', 'desc')
    .orderBy('p.location_id')
    .orderBy('p.unit_id')
    .orderBy('p.posting_id', 'desc');
}
