// Which segments become one file.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatJoinedName, formatSegmentName, readGeneration } from '../../sqlite-follower/copy-names.ts';
import {
  cutBySize,
  defaultJoinLimits,
  listPassedPeriods,
  type SizedSegment,
} from '../../sqlite-follower/join-periods.ts';

const limits = { periodMs: 3_600_000, maxBytes: 100 };
const minute = (number: number): number => Date.parse('2026-06-01T12:00:00Z') + number * 60_000;
const segment = (part: number, atMs: number): string => formatSegmentName({ first: part, last: part, atMs });

test('[backups.17] the segments of an hour are joined when one of another hour is written, or nothing goes on', () => {
  const hours = [segment(1, minute(1)), segment(2, minute(59)), segment(3, minute(60)), segment(4, minute(61))];
  const afterGap = [segment(1, minute(1)), segment(3, minute(2)), segment(4, minute(3)), segment(5, minute(61))];
  const clockWentBack = [segment(1, minute(1)), segment(2, minute(61)), segment(3, minute(2)), segment(4, minute(3))];
  const joinedBefore = [
    formatJoinedName({ first: 1, last: 2, atMs: minute(2) }),
    segment(3, minute(3)),
    segment(4, minute(61)),
  ];
  const cases: [files: string[], isEnded: boolean, runs: number[][]][] = [
    [[], true, []],
    [hours, false, [[1, 2]]],
    [
      hours,
      true,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [hours.slice(0, 2), false, []],
    [afterGap, false, [[1], [3, 4]]],
    [clockWentBack, false, [[1], [2]]],
    [joinedBefore, false, [[3]]],
  ];
  for (const [files, isEnded, runs] of cases) {
    const listed = listPassedPeriods(readGeneration('g', files), limits, { isEnded });
    assert.deepEqual(
      listed.map((run) => run.map(({ first }) => first)),
      runs,
      files.join(' '),
    );
  }
});

test('files that are joined follow each other and become no larger than they may; one alone is left', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 30 });
  fc.assert(
    fc.property(sizes, (given) => {
      const segments = given.map((bytes, index): SizedSegment => {
        const range = { first: index + 1, last: index + 1, atMs: 0 };
        return { ...range, name: formatSegmentName(range), isJoined: false, bytes };
      });
      const groups = cutBySize(segments, limits);
      for (const group of groups) {
        assert.ok(group.length > 1);
        assert.ok(group.reduce((sum, { bytes }) => sum + bytes, 0) <= limits.maxBytes);
        assert.deepEqual(group, segments.slice((group[0]?.first ?? 0) - 1, group.at(-1)?.last));
      }
      // Two neighbours that are left would have been too large together.
      const joined = new Set(groups.flat());
      const ends = new Set(groups.map((group) => group.at(-1)));
      for (const [index, { bytes }] of segments.entries()) {
        const [self, next] = [segments[index], segments[index + 1]];
        if (self === undefined || next === undefined || joined.has(self) || joined.has(next)) continue;
        assert.ok(ends.has(self) || bytes + next.bytes > limits.maxBytes);
      }
    }),
  );
});

test('a day of one file each second becomes 24 files', () => {
  const files = Array.from({ length: 86_401 }, (_, second) => segment(second + 1, minute(0) + second * 1000));
  const passed = listPassedPeriods(readGeneration('g', files), defaultJoinLimits, { isEnded: false });
  const groups = passed.flatMap((period) =>
    cutBySize(
      period.map((each) => ({ ...each, bytes: 5000 })),
      defaultJoinLimits,
    ),
  );
  assert.deepEqual([groups.length, groups.flat().length], [24, 86_400]);
});
