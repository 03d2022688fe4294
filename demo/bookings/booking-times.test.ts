// Checks the possible booking times of a policy against an oracle that tries every five minutes of a day.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePolicy } from '../../src/features/bookings/rules/policy.ts';
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

test('possible times are within the bookable hours, outside the quiet hours, and start no later than the last start', () => {
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
      /** In minutes since the opening. */
      const last = lastStart === null ? 1440 : (lastStart - opens + 1440) % 1440;
      const isBeyond = last > lengthOfHours;
      const expected: WallTimeSpan[] = [];
      for (let start = 0; start < 1440; start += step)
        for (let minutes = least; minutes <= least + more; minutes += step) {
          const cells = Array.from({ length: minutes / 5 }, (_, index) => (opens + start + index * 5) % 1440);
          if (hours !== null && start + minutes > lengthOfHours) continue;
          if (cells.some(isQuiet) || start > last) continue;
          expected.push({ from: opens + start, to: opens + start + minutes });
        }
      // A last start outside the hours can be before or after them; this test does not decide which.
      if (!isBeyond) assert.deepEqual(listWallTimeSpans(parsePolicy(new Map(values))), expected);
    }),
    { numRuns: 400 },
  );
});

const two = (from: string, through: string, [first, last]: readonly [number, number]): [string, string][] => [
  [from, timeText(first)],
  [through, timeText(last)],
];
