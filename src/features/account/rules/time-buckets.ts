// Divides time into the buckets of roll-ups: hours, days and months in UTC. An interval consists of whole buckets and
// the raw postings at its edges, so the cost of its sums depends on its length, not on its number of postings.

import { fromMs2000, toMs2000 } from '../../../lib/time/ms2000.ts';
import { dayMs, hourMs } from '../../../lib/time/durations.ts';

/** The codes of the buckets as they are stored. */
export const grains = { hour: 1, day: 2, month: 3, period: 4 } as const;
type TimeGrain = Exclude<keyof typeof grains, 'period'>;

/** The bucket of an instant (MS2000). */
export function computeBucket(grain: TimeGrain, ms2000: number): number {
  switch (grain) {
    case 'hour':
      return Math.floor(ms2000 / hourMs);
    case 'day':
      return Math.floor(ms2000 / dayMs);
    case 'month':
      return monthOf(new Date(fromMs2000(ms2000)));
  }
}

const monthOf = (date: Date): number => (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();

/** The first instant of a bucket. */
export function computeBucketStart(grain: TimeGrain, bucket: number): number {
  switch (grain) {
    case 'hour':
      return bucket * hourMs;
    case 'day':
      return bucket * dayMs;
    case 'month':
      return toMs2000(
        new Date(0).setUTCFullYear(2000 + Math.floor(bucket / 12), bucket - Math.floor(bucket / 12) * 12, 1),
      );
  }
}

/** Consecutive whole buckets, or an interval of raw postings. `to` and `endBucket` are exclusive. */
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

// Only banks have roll-ups of hours: a location or a unit has few postings in a day.
export const timeGrains: Record<PlaceLevel, readonly TimeGrain[]> = {
  bank: ['month', 'day', 'hour'],
  location: ['month', 'day'],
  unit: ['month', 'day'],
};

/** The segments of [from, to), oldest first: months in the middle, days and hours around them, raw postings at the edges. */
export const splitIntoSegments = (level: PlaceLevel, from: number, to: number): Segment[] =>
  splitByGrains(timeGrains[level], from, to);

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

/** The finer segments of one bucket; a bucket of the finest grain is its raw postings. */
export function splitBucket(level: PlaceLevel, grain: TimeGrain, bucket: number): Segment[] {
  const finer = timeGrains[level].slice(timeGrains[level].indexOf(grain) + 1);
  return splitByGrains(finer, computeBucketStart(grain, bucket), computeBucketStart(grain, bucket + 1));
}
