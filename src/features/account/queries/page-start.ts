// Finds where a deep page starts. The counts of the roll-ups lead to the bucket that holds its first row, so skipping
// 100,000 rows reads a few dozen counts and at most one bucket of postings.

import type { Db } from '../../../database/db.ts';
import type { ResolvedSelection } from './selected-postings.ts';
import { readBucketCounts } from './posting-sums.ts';
import {
  computeBucketStart,
  splitBucket,
  splitIntoSegments,
  type PlaceLevel,
  type Segment,
} from '../rules/time-buckets.ts';

/** Below this, skipping rows is cheaper than reading counts. */
const maxOffsetWithoutCounts = 500;

type PageStart = { readonly offset: number; readonly before?: number };

/** Replaces the offset by an instant before which the page lies and a smaller offset. */
export async function findPageStart(db: Db, selection: ResolvedSelection, offset: number): Promise<PageStart> {
  const { time, place, residentFilter } = selection;
  if (offset < maxOffsetWithoutCounts || 'storedPeriod' in time || residentFilter !== undefined) return { offset };
  if (place.level === 'location' && place.locationIds.length === 0) return { offset };
  let segments: readonly Segment[] = splitIntoSegments(place.level, time.interval.from, time.interval.to);
  let remainingOffset = offset;
  for (;;) {
    const counts = await readBucketCounts(db, selection, segments);
    const found = findBucket(place.level, segments, counts, remainingOffset);
    // The page is after the last row.
    if (found === undefined) return { offset: 0, before: time.interval.from };
    remainingOffset -= found.skippedCount;
    if (remainingOffset < maxOffsetWithoutCounts || found.finerSegments.length === 0)
      return { offset: remainingOffset, before: found.endsAt };
    segments = found.finerSegments;
  }
}

type BucketPosition = {
  readonly skippedCount: number;
  readonly endsAt: number;
  readonly finerSegments: readonly Segment[];
};

function findBucket(
  level: PlaceLevel,
  segments: readonly Segment[],
  counts: ReadonlyMap<string, number>,
  remainingOffset: number,
): BucketPosition | undefined {
  let skippedCount = 0;
  for (let segmentIndex = segments.length - 1; segmentIndex >= 0; segmentIndex -= 1) {
    const segment = segments[segmentIndex] as Segment;
    const buckets = segment.grain === 'raw' ? [0] : listDescending(segment.firstBucket, segment.endBucket);
    for (const bucket of buckets) {
      const bucketCount = counts.get(`${segmentIndex}/${bucket}`) ?? 0;
      if (skippedCount + bucketCount > remainingOffset) {
        if (segment.grain === 'raw') return { skippedCount, endsAt: segment.to, finerSegments: [] };
        const finer = segment.grain === 'hour' ? [] : splitBucket(level, segment.grain, bucket);
        return {
          skippedCount,
          endsAt: computeBucketStart(segment.grain, bucket + 1),
          finerSegments: finer.every(({ grain }) => grain === 'raw') ? [] : finer,
        };
      }
      skippedCount += bucketCount;
    }
  }
  return undefined;
}

const listDescending = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, index) => end - 1 - index);
