// Every time that a policy leaves is found, and no other: against a walk along the wall, five minutes at a time.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePolicy } from '../../features/bookings/rules/policy.ts';
import { listWallTimeSpans, type WallTimeSpan } from './booking-times.ts';

const quarters = fc.integer({ min: 0, max: 95 }).map((at) => at * 15);
const timeText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const worlds = fc.record({
  hours: fc.option(fc.tuple(quarters, quarters)),
  quiet: fc.option(fc.tuple(quarters, quarters)),
  lastStart: fc.option(quarters),
  least: fc.constantFrom(15, 30, 60, 240),
  more: fc.constantFrom(0, 30, 60, 120),
  step: fc.constantFrom(15, 30, 60),
});

test('the times that bookings are laid at are those within the hours, out of the quiet ones, up to the last start', () => {
  fc.assert(
    fc.property(worlds, ({ hours, quiet, lastStart, least, more, step }) => {
      const values: [string, string][] = [
        ['BookingMinLength', String(least)],
        ['BookingMaxLength', String(least + more)],
        ['BookingStep', String(step)],
        ...(hours === null ? [] : two('BookingFrom', 'BookingThrough', hours)),
        ...(quiet === null ? [] : two('BookingQuietFrom', 'BookingQuietThrough', quiet)),
        ...(lastStart === null ? [] : [['BookingLastStart', timeText(lastStart)] as [string, string]]),
      ];
      const [opens, closes] = hours ?? [0, 0];
      const lengthOfHours = closes > opens ? closes - opens : closes + 1440 - opens;
      const isQuiet = (clock: number): boolean => {
        if (quiet === null) return false;
        const [from, through] = quiet;
        return from < through ? clock >= from && clock < through : clock >= from || clock < through;
      };
      /** Counted from the opening on. */
      const last = lastStart === null ? 1440 : (lastStart - opens + 1440) % 1440;
      const isBeyond = last > lengthOfHours;
      const expected: WallTimeSpan[] = [];
      for (let start = 0; start < 1440; start += step)
        for (let minutes = least; minutes <= least + more; minutes += step) {
          const cells = Array.from({ length: minutes / 5 }, (_, at) => (opens + start + at * 5) % 1440);
          if (hours !== null && start + minutes > lengthOfHours) continue;
          if (cells.some(isQuiet) || start > last) continue;
          expected.push({ from: opens + start, to: opens + start + minutes });
        }
      // A last start between the hours is before them on their day, or after: which of the two is not told here.
      if (!isBeyond) assert.deepEqual(listWallTimeSpans(parsePolicy(new Map(values))), expected);
    }),
    { numRuns: 400 },
  );
});

const two = (from: string, through: string, [first, last]: readonly [number, number]): [string, string][] => [
  [from, timeText(first)],
  [through, timeText(last)],
];
