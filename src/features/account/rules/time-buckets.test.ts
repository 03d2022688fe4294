// Checks segments against plain arithmetic: every interval is covered once, and every bucket begins at the right
// instant.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fromMs2000, toMs2000 } from '../../../lib/time/ms2000.ts';
import {
  computeBucket,
  computeBucketStart,
  splitBucket,
  splitIntoSegments,
  type PlaceLevel,
  type Segment,
} from './time-buckets.ts';
import { hourMs } from '../../../lib/time/durations.ts';

type TimeGrain = 'hour' | 'day' | 'month';
const timeGrains: TimeGrain[] = ['hour', 'day', 'month'];
const at = (text: string): number => toMs2000(Temporal.Instant.from(text).epochMilliseconds);

const years1To9999 = fc.integer({ min: at('0001-01-01T00:00:00Z'), max: at('9999-12-31T23:59:59.999Z') });
/** An instant in the years of real ledgers, often at the edge of an hour, a day or a month. */
const instant = fc.oneof(
  fc.integer({ min: at('1990-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') }),
  fc.integer({ min: -80_000, max: 300_000 }).map((hours) => hours * hourMs),
  fc.integer({ min: -3000, max: 12_000 }).map((days) => days * 24 * hourMs),
  fc
    .tuple(fc.integer({ min: -120, max: 480 }), fc.constantFrom(-1, 0, 1))
    .map(([months, off]) => monthStart(months) + off),
);

/** The first instant of a month, counted from January 2000. */
function monthStart(months: number): number {
  return at(`${new Temporal.PlainDate(2000, 1, 1).add({ months }).toString()}T00:00:00Z`);
}

test('a bucket begins at its first instant and holds every instant up to the next, from year 1 to year 9999', () => {
  fc.assert(
    fc.property(fc.oneof(years1To9999, instant), fc.constantFrom(...timeGrains), (ms2000, grain) => {
      const bucket = computeBucket(grain, ms2000);
      const start = computeBucketStart(grain, bucket);
      const end = computeBucketStart(grain, bucket + 1);
      assert.ok(start <= ms2000 && ms2000 < end);
      assert.equal(computeBucket(grain, start), bucket);
      assert.equal(computeBucket(grain, start - 1), bucket - 1);
      assert.equal(computeBucket(grain, end - 1), bucket);
      const utc = Temporal.Instant.fromEpochMilliseconds(fromMs2000(start)).toZonedDateTimeISO('UTC');
      const { day, hour, minute, second, millisecond } = utc;
      assert.deepEqual([minute, second, millisecond], [0, 0, 0]);
      if (grain !== 'hour') assert.equal(hour, 0);
      if (grain === 'month') assert.equal(day, 1);
      const length = Temporal.Instant.fromEpochMilliseconds(fromMs2000(end))
        .toZonedDateTimeISO('UTC')
        .since(utc, { largestUnit: grain });
      assert.equal(length.total({ unit: grain, relativeTo: utc }), 1);
    }),
    { numRuns: 2000 },
  );
});

test('buckets count from the year 2000, with negative numbers before it', () => {
  assert.deepEqual(
    timeGrains.map((grain) => computeBucket(grain, 0)),
    [0, 0, 0],
  );
  assert.deepEqual(
    timeGrains.map((grain) => computeBucket(grain, -1)),
    [-1, -1, -1],
  );
  assert.equal(computeBucket('month', at('2026-11-30T23:59:59.999Z')), 26 * 12 + 10);
  assert.equal(computeBucket('month', at('0001-01-01T00:00:00Z')), -1999 * 12);
  assert.equal(computeBucketStart('month', 7999 * 12 + 11), at('9999-12-01T00:00:00Z'));
});

const levels: PlaceLevel[] = ['bank', 'location', 'unit'];

/** Checks that segments cover [from, to) without gaps, and that each run of buckets has its stated length. */
function assertCovers(segments: readonly Segment[], from: number, to: number): void {
  let end = from;
  for (const segment of segments) {
    assert.equal(segment.from, end, 'no gap and no overlap');
    assert.ok(segment.to > segment.from, 'no empty segment');
    end = segment.to;
    if (segment.grain === 'raw') continue;
    assert.equal(computeBucketStart(segment.grain, segment.firstBucket), segment.from);
    assert.equal(computeBucketStart(segment.grain, segment.endBucket), segment.to);
  }
  assert.equal(end, to);
}

test('segments cover any interval exactly once, at every level', () => {
  fc.assert(
    fc.property(
      fc.oneof(instant, years1To9999),
      fc.oneof(fc.integer({ min: 0, max: 3 * hourMs }), fc.integer({ min: 0, max: 800 * 24 * hourMs })),
      (from, length) => {
        for (const level of levels) {
          if (length === 0) assert.deepEqual(splitIntoSegments(level, from, from), []);
          else assertCovers(splitIntoSegments(level, from, from + length), from, from + length);
          assert.deepEqual(splitIntoSegments(level, from, from - length), []);
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test('an interval has at most the days of a month, the hours of a day and one raw edge on each side', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 367 * 24 * hourMs }), (from, length) => {
      for (const level of levels) {
        const segments = splitIntoSegments(level, from, from + length);
        const held = (grain: Segment['grain']): number =>
          segments.reduce(
            (sum, each) => sum + (each.grain === grain && each.grain !== 'raw' ? each.endBucket - each.firstBucket : 0),
            0,
          );
        assert.ok(
          held('month') <= 12 && held('day') <= 60 && held('hour') <= (level === 'bank' ? 46 : 0),
          JSON.stringify(segments),
        );
        const rawMs = segments.filter(({ grain }) => grain === 'raw').map((each) => each.to - each.from);
        assert.ok(
          rawMs.length <= 2 && rawMs.every((ms) => ms < (level === 'bank' ? 2 : 48) * hourMs),
          JSON.stringify(segments),
        );
      }
    }),
    { numRuns: 2000 },
  );
});

test('the finer segments of a bucket cover that bucket exactly once', () => {
  fc.assert(
    fc.property(instant, fc.constantFrom(...levels), fc.constantFrom(...timeGrains), (ms2000, level, grain) => {
      if (grain === 'hour' && level !== 'bank') return;
      const bucket = computeBucket(grain, ms2000);
      const segments = splitBucket(level, grain, bucket);
      assertCovers(segments, computeBucketStart(grain, bucket), computeBucketStart(grain, bucket + 1));
      assert.ok(segments.every((each) => each.grain !== grain && each.grain !== 'month'));
    }),
  );
});
