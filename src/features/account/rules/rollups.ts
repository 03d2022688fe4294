// Adds postings to roll-ups, and adds roll-ups up. A roll-up is the sum of the postings of one bucket of time, for a bank,
// a location or a unit, by class and currency.

import { joinInt64, splitInt64 } from '../../../lib/values/int64.ts';
import type { Tables } from '../../../database/tables.ts';
import { computePostingClass } from './posting-kinds.ts';
import { computeBucket, grains, timeGrains } from './time-buckets.ts';

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
  const { ofHours, ofDays } = sumByHourAndDay(postings);
  for (const sums of ofHours) addToRows(rows, sums, { locationId: 0, unitId: 0, names: ['hour'] });
  for (const sums of ofDays) {
    const { location_id: locationId, unit_id: unitId } = sums.posting;
    addToRows(rows, sums, { locationId: 0, unitId: 0, names: dayNames });
    if (locationId !== 0) addToRows(rows, sums, { locationId, unitId: 0, names: dayNames });
    if (locationId !== 0 && unitId !== 0) addToRows(rows, sums, { locationId, unitId, names: dayNames });
  }
  return [...rows.values()];
}

type Sums = Record<SummedColumn, number>;
type SummedPostings = { readonly posting: RollupPosting; readonly postingClass: number; readonly sums: Sums };

/**
 * Postings of one bank and hour are in the same roll-up of an hour, and those of one unit and day in the same of all other
 * grains: one of them stands for all.
 */
function sumByHourAndDay(postings: Iterable<RollupPosting>) {
  const [ofHours, ofDays] = [new Map<string, SummedPostings>(), new Map<string, SummedPostings>()];
  for (const posting of postings) {
    const { bank_id, location_id, unit_id, recorded_at, period, currency } = posting;
    const postingClass = computePostingClass(posting.kind, BigInt(posting.amount_minor));
    const kind = `${bank_id}/${postingClass}/${currency}`;
    const amount = splitInt64(posting.amount_minor);
    const fingerprint = splitInt64(posting.fingerprint);
    for (const { sums } of [
      findSums(ofHours, `${computeBucket('hour', recorded_at)}/${kind}`, posting, postingClass),
      findSums(
        ofDays,
        `${computeBucket('day', recorded_at)}/${location_id}/${unit_id}/${period}/${kind}`,
        posting,
        postingClass,
      ),
    ]) {
      sums.count += 1;
      sums.amount_high += amount.high;
      sums.amount_low += amount.low;
      sums.fingerprint_high += fingerprint.high;
      sums.fingerprint_low += fingerprint.low;
    }
  }
  return { ofHours: ofHours.values(), ofDays: ofDays.values() };
}

function findSums(
  found: Map<string, SummedPostings>,
  key: string,
  posting: RollupPosting,
  postingClass: number,
): SummedPostings {
  let known = found.get(key);
  if (known === undefined) {
    const sums = { count: 0, amount_high: 0, amount_low: 0, fingerprint_high: 0, fingerprint_low: 0 };
    found.set(key, (known = { posting, postingClass, sums }));
  }
  return known;
}

/** How these rows are added to stored ones. */
export const rollupUpsertColumns = {
  key: ['bank_id', 'location_id', 'unit_id', 'grain', 'bucket', 'posting_class', 'currency'],
  sum: ['count', 'amount_high', 'amount_low', 'fingerprint_high', 'fingerprint_low'],
} as const;
type SummedColumn = (typeof rollupUpsertColumns.sum)[number];

type GrainName = keyof typeof grains;

/** The grains of every level of places; banks have hours besides. */
const dayNames: readonly GrainName[] = [...timeGrains.unit, 'period'];

type PlaceGrains = { readonly locationId: number; readonly unitId: number; readonly names: readonly GrainName[] };

/** Adds to one row for each grain. A key is only a text until it has a row. */
function addToRows(
  rows: Map<string, PostingRollup>,
  { posting, postingClass: posting_class, sums }: SummedPostings,
  { locationId: location_id, unitId: unit_id, names }: PlaceGrains,
): void {
  const { bank_id, recorded_at, currency, period } = posting;
  const place = `${bank_id}/${location_id}/${unit_id}/${posting_class}/${currency}`;
  for (const name of names) {
    const grain = grains[name];
    const bucket = name === 'period' ? period : computeBucket(name, recorded_at);
    const key = `${grain}/${bucket}/${place}`;
    const row = rows.get(key);
    if (row === undefined)
      rows.set(key, { bank_id, location_id, unit_id, grain, bucket, posting_class, currency, ...sums });
    else for (const column of rollupUpsertColumns.sum) row[column] = Number(row[column]) + sums[column];
  }
}

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
