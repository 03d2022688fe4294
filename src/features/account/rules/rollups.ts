// Roll-ups: sums of postings over hours, days, months and settlement periods, for a bank, a location or a unit. Any
// interval is whole buckets plus raw edges, so its totals cost what its length costs, never what it holds.

import { joinInt64, splitInt64 } from '../../../lib/int64.ts';
import { fromMs2000, toMs2000 } from '../../../lib/ms2000.ts';
import type { Tables } from '../../../database/tables.ts';
import { computePostingClass } from './kinds.ts';

export const grains = { hour: 1, day: 2, month: 3, period: 4 } as const;
export type Grain = keyof typeof grains;
type TimeGrain = Exclude<Grain, 'period'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The UTC bucket that an instant lies in. */
export function computeBucket(grain: TimeGrain, ms2000: number): number {
  if (grain === 'hour') return Math.floor(ms2000 / hourMs);
  if (grain === 'day') return Math.floor(ms2000 / dayMs);
  const date = new Date(fromMs2000(ms2000));
  return (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();
}

/** The instant at which a bucket begins. */
export function computeBucketStart(grain: TimeGrain, bucket: number): number {
  if (grain === 'hour') return bucket * hourMs;
  if (grain === 'day') return bucket * dayMs;
  const years = Math.floor(bucket / 12);
  return toMs2000(new Date(0).setUTCFullYear(2000 + years, bucket - years * 12, 1));
}

/** A run of whole buckets, or of raw postings; both ends as instants, the second exclusive. */
export type Segment =
  | {
      readonly grain: TimeGrain;
      readonly from: number;
      readonly to: number;
      readonly firstBucket: number;
      readonly endBucket: number;
    }
  | { readonly grain: 'raw'; readonly from: number; readonly to: number };

export type PlaceLevel = 'bank' | 'location' | 'unit';

// Hours are kept for banks alone: a location's or a unit's postings of a day are few enough to read.
const timeGrains: Record<PlaceLevel, readonly TimeGrain[]> = {
  bank: ['month', 'day', 'hour'],
  location: ['month', 'day'],
  unit: ['month', 'day'],
};

/** Cuts [from, to) into segments, oldest first: months inside, then days, then hours, then raw edges. */
export function splitIntoSegments(level: PlaceLevel, from: number, to: number): Segment[] {
  return splitByGrains(timeGrains[level], from, to);
}

function splitByGrains([grain, ...finer]: readonly TimeGrain[], from: number, to: number): Segment[] {
  if (from >= to) return [];
  if (grain === undefined) return [{ grain: 'raw', from, to }];
  const firstWhole =
    computeBucket(grain, from) === computeBucket(grain, from - 1)
      ? computeBucket(grain, from) + 1
      : computeBucket(grain, from);
  const endWhole = computeBucket(grain, to);
  if (firstWhole >= endWhole) return splitByGrains(finer, from, to);
  const start = computeBucketStart(grain, firstWhole);
  const end = computeBucketStart(grain, endWhole);
  return [
    ...splitByGrains(finer, from, start),
    { grain, from: start, to: end, firstBucket: firstWhole, endBucket: endWhole },
    ...splitByGrains(finer, end, to),
  ];
}

/** The finer segments that make up one bucket; a bucket of the finest grain is its raw postings. */
export function splitBucket(level: PlaceLevel, grain: TimeGrain, bucket: number): Segment[] {
  const finer = timeGrains[level].slice(timeGrains[level].indexOf(grain) + 1);
  return splitByGrains(finer, computeBucketStart(grain, bucket), computeBucketStart(grain, bucket + 1));
}

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

/** The roll-up rows that postings add to, already summed by key. */
export function computeRollups(postings: Iterable<RollupPosting>): PostingRollup[] {
  const sums = new Map<
    string,
    { row: Omit<PostingRollup, SummedColumn>; count: number; amount: [number, number]; fingerprint: [number, number] }
  >();
  for (const posting of postings) {
    const amount = splitInt64(posting.amount_minor);
    const fingerprint = splitInt64(posting.fingerprint);
    for (const row of listRollupKeys(posting)) {
      const key = `${row.bank_id}/${row.location_id}/${row.unit_id}/${row.grain}/${row.bucket}/${row.posting_class}/${row.currency}`;
      let sum = sums.get(key);
      if (sum === undefined) sums.set(key, (sum = { row, count: 0, amount: [0, 0], fingerprint: [0, 0] }));
      sum.count += 1;
      sum.amount[0] += amount.high;
      sum.amount[1] += amount.low;
      sum.fingerprint[0] += fingerprint.high;
      sum.fingerprint[1] += fingerprint.low;
    }
  }
  return [...sums.values()].map(({ row, count, amount, fingerprint }) => ({
    ...row,
    count,
    amount_high: amount[0],
    amount_low: amount[1],
    fingerprint_high: fingerprint[0],
    fingerprint_low: fingerprint[1],
  }));
}

/** How more postings are put to those summed already. */
export const rollupUpsertColumns = {
  key: ['bank_id', 'location_id', 'unit_id', 'grain', 'bucket', 'posting_class', 'currency'],
  sum: ['count', 'amount_high', 'amount_low', 'fingerprint_high', 'fingerprint_low'],
} as const;
type SummedColumn = (typeof rollupUpsertColumns.sum)[number];

function listRollupKeys(posting: RollupPosting): Omit<PostingRollup, SummedColumn>[] {
  const { bank_id, location_id, unit_id, recorded_at, currency, period } = posting;
  const posting_class = computePostingClass(posting.kind, BigInt(posting.amount_minor));
  const listLevelKeys = (placeLevel: PlaceLevel, location: number, unit: number) =>
    [
      ...timeGrains[placeLevel].map((grain) => ({ grain: grains[grain], bucket: computeBucket(grain, recorded_at) })),
      { grain: grains.period, bucket: period },
    ].map((each) => ({ bank_id, location_id: location, unit_id: unit, ...each, posting_class, currency }));
  return [
    ...listLevelKeys('bank', 0, 0),
    ...(location_id === 0 ? [] : listLevelKeys('location', location_id, 0)),
    ...(location_id === 0 || unit_id === 0 ? [] : listLevelKeys('unit', location_id, unit_id)),
  ];
}

/** A share of a filtered set as summed in SQL: of one currency, and of amounts of one sign. */
export type PartialSum = Pick<PostingRollup, 'currency' | SummedColumn>;

export type CurrencyTotal = {
  readonly currency: string;
  readonly count: number;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
};

export type PostingSums = {
  readonly count: number;
  /** By currency code, the unknown one (empty) last. */
  readonly totals: readonly CurrencyTotal[];
  /** Order-independent combination of the postings' fingerprints. */
  readonly fingerprint: bigint;
};

/** Puts the shares of all segments together. */
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

/** By code, the unknown one (empty) last. */
export function compareCurrencies(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
  return a < b ? -1 : 1;
}
