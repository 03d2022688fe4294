// Where a deep page starts: the roll-ups' counts lead to the bucket that holds its first row, so that skipping
// 100,000 rows reads a few dozen counts and at most one bucket of postings.

import type { Db } from '../../database/dialect.ts';
import type { Resolved } from './queries/selected.ts';
import { countBuckets } from './queries/sums.ts';
import { bucketStart, insideBucket, segmentsOf, type PlaceLevel, type Segment } from './rules/rollups.ts';

/** Below this, skipping rows is cheaper than asking for counts. */
const shallow = 500;

export type PageStart = { readonly offset: number; readonly before?: number };

/** Answers an equivalent of the offset: rows before an instant, and fewer of them to skip. */
export async function pageStart(db: Db, selection: Resolved, offset: number): Promise<PageStart> {
  const { time, place, user } = selection;
  if (offset < shallow || 'storedPeriod' in time || user !== undefined) return { offset };
  if (place.level === 'location' && place.locationIds.length === 0) return { offset };
  let segments: readonly Segment[] = segmentsOf(place.level, time.interval.from, time.interval.to);
  let skip = offset;
  for (;;) {
    const counts = await countBuckets(db, selection, segments);
    const found = findBucket(place.level, segments, counts, skip);
    // Beyond the last row: there is nothing to read.
    if (found === undefined) return { offset: 0, before: time.interval.from };
    skip -= found.passed;
    if (skip < shallow || found.finer.length === 0) return { offset: skip, before: found.to };
    segments = found.finer;
  }
}

type Found = { readonly passed: number; readonly to: number; readonly finer: readonly Segment[] };

function findBucket(
  level: PlaceLevel,
  segments: readonly Segment[],
  counts: ReadonlyMap<string, number>,
  skip: number,
): Found | undefined {
  let passed = 0;
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at] as Segment;
    const buckets = segment.grain === 'raw' ? [0] : newestFirst(segment.firstBucket, segment.endBucket);
    for (const bucket of buckets) {
      const held = counts.get(`${at}/${bucket}`) ?? 0;
      if (passed + held > skip) {
        if (segment.grain === 'raw') return { passed, to: segment.to, finer: [] };
        const finer = segment.grain === 'hour' ? [] : insideBucket(level, segment.grain, bucket);
        return {
          passed,
          to: bucketStart(segment.grain, bucket + 1),
          finer: finer.every(({ grain }) => grain === 'raw') ? [] : finer,
        };
      }
      passed += held;
    }
  }
  return undefined;
}

function newestFirst(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, at) => end - 1 - at);
}
