// Adds postings to roll-ups, and adds roll-ups up. A roll-up is the sum of the postings of one bucket of time, for a bank,
// a location or a unit, by class and currency.

import { joinInt64, splitInt64 } from '../../../lib/int64.ts';
import type { Tables } from '../../../database/tables.ts';
import { computePostingClass } from './posting-kinds.ts';
import { computeBucket, grains, timeGrains, type PlaceLevel } from './time-buckets.ts';

type PostingRollup = Tables['posting_rollups'];
type RollupPosting = Pick<
  Tables['postings'],
  | 'bank_id'
  | 'location_id'
  | 'unit_id'
  | 'recorded_at'
  | 'kind'
  | 'currency'
  | 'amount_minor'
  | 'period'
  | 'fingerprint'
>;

/** The roll-up rows of postings, summed by key. */
export function computeRollups(postings: Iterable<RollupPosting>): PostingRollup[] {
  const rows = new Map<string, PostingRollup>();
  for (const finest of sumByFinestKey(postings)) {
    const { location_id, unit_id } = finest.posting;
    addToLevel(rows, finest, 'bank', [0, 0]);
    if (location_id !== 0) addToLevel(rows, finest, 'location', [location_id, 0]);
    if (location_id !== 0 && unit_id !== 0) addToLevel(rows, finest, 'unit', [location_id, unit_id]);
  }
  return [...rows.values()];
}

type Sums = Record<SummedColumn, number>;
type FinestSums = { readonly posting: RollupPosting; readonly postingClass: number; readonly sums: Sums };

/** Postings of one unit, hour, period, class and currency are in the same roll-ups: one of them stands for all. */
function sumByFinestKey(postings: Iterable<RollupPosting>): Iterable<FinestSums> {
  const sumsByKey = new Map<string, FinestSums>();
  for (const posting of postings) {
    const { bank_id, location_id, unit_id, recorded_at, period, currency } = posting;
    const hour = computeBucket('hour', recorded_at);
    const postingClass = classOf(posting);
    const key = `${bank_id}/${location_id}/${unit_id}/${hour}/${period}/${postingClass}/${currency}`;
    let found = sumsByKey.get(key);
    if (found === undefined) {
      const sums = { count: 0, amount_high: 0, amount_low: 0, fingerprint_high: 0, fingerprint_low: 0 };
      sumsByKey.set(key, (found = { posting, postingClass, sums }));
    }
    const { sums } = found;
    const amount = splitInt64(posting.amount_minor);
    const fingerprint = splitInt64(posting.fingerprint);
    sums.count += 1;
    sums.amount_high += amount.high;
    sums.amount_low += amount.low;
    sums.fingerprint_high += fingerprint.high;
    sums.fingerprint_low += fingerprint.low;
  }
  return sumsByKey.values();
}

const classOf = ({ kind, amount_minor }: RollupPosting): number => computePostingClass(kind, BigInt(amount_minor));

/** How these rows are added to stored ones. */
export const rollupUpsertColumns = {
  key: ['bank_id', 'location_id', 'unit_id', 'grain', 'bucket', 'posting_class', 'currency'],
  sum: ['count', 'amount_high', 'amount_low', 'fingerprint_high', 'fingerprint_low'],
} as const;
type SummedColumn = (typeof rollupUpsertColumns.sum)[number];

/** Adds to the rows of one level of places: one for each grain. A key is only a text until it has a row. */
function addToLevel(
  rows: Map<string, PostingRollup>,
  { posting, postingClass: posting_class, sums }: FinestSums,
  placeLevel: PlaceLevel,
  [location_id, unit_id]: readonly [locationId: number, unitId: number],
): void {
  const { bank_id, recorded_at, currency, period } = posting;
  const place = `${bank_id}/${location_id}/${unit_id}/${posting_class}/${currency}`;
  for (const name of levelGrains[placeLevel]) {
    const grain = grains[name];
    const bucket = name === 'period' ? period : computeBucket(name, recorded_at);
    const key = `${grain}/${bucket}/${place}`;
    const row = rows.get(key);
    if (row === undefined)
      rows.set(key, { bank_id, location_id, unit_id, grain, bucket, posting_class, currency, ...sums });
    else for (const column of rollupUpsertColumns.sum) row[column] = Number(row[column]) + sums[column];
  }
}

const levelGrains = {
  bank: [...timeGrains.bank, 'period'],
  location: [...timeGrains.location, 'period'],
  unit: [...timeGrains.unit, 'period'],
} as const satisfies Record<PlaceLevel, readonly (keyof typeof grains)[]>;

/** A sum computed by SQL, of amounts with one currency and one sign. */
export type PartialSum = Pick<PostingRollup, 'currency' | SummedColumn>;

export type CurrencySum = {
  readonly currency: string;
  readonly count: number;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
};

export type PostingSums = {
  readonly count: number;
  /** By currency code; the unknown currency (empty) comes last. */
  readonly totals: readonly CurrencySum[];
  /** The sum of the postings' fingerprints, which does not depend on their order. */
  readonly fingerprint: bigint;
};

/** The totals of all segments. */
export function addPartialSums(partialSums: readonly PartialSum[]): PostingSums {
  const totals = new Map<string, { count: number; debitMinor: bigint; creditMinor: bigint }>();
  let fingerprint = 0n;
  let count = 0;
  for (const partialSum of partialSums) {
    if (partialSum.count === 0) continue;
    const total = totals.get(partialSum.currency) ?? { count: 0, debitMinor: 0n, creditMinor: 0n };
    totals.set(partialSum.currency, total);
    const amount = joinInt64(partialSum.amount_high, partialSum.amount_low);
    if (amount < 0n) total.debitMinor += amount;
    else total.creditMinor += amount;
    total.count += partialSum.count;
    count += partialSum.count;
    fingerprint += joinInt64(partialSum.fingerprint_high, partialSum.fingerprint_low);
  }
  const rows = [...totals].map(([currency, total]) => ({ currency, ...total }));
  return {
    count,
    totals: rows.toSorted((a, b) => compareCurrencies(a.currency, b.currency)),
    fingerprint: BigInt.asUintN(64, fingerprint),
  };
}

/** Orders by code; the unknown currency (empty) comes last. */
export function compareCurrencies(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
  return a < b ? -1 : 1;
}
