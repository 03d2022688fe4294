// Checks the slots of bookings, and which of them are no longer needed.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireValidInterval, maxBookingLengthMs, oldestUsefulSlot, slotMs, listSlots } from './slots.ts';

test('a time that is not a multiple of five minutes, and a length of zero or above two weeks, are refused', () => {
  const bad: [start: number, end: number][] = [
    [1, slotMs],
    [0, slotMs + 1],
    [0, slotMs - 1],
    [slotMs, slotMs],
    [slotMs, 0],
    [0, maxBookingLengthMs + slotMs],
    [Number.NaN, slotMs],
    [0, Number.POSITIVE_INFINITY],
    [0.5 * slotMs, slotMs],
  ];
  for (const [start, end] of bad) assert.throws(() => requireValidInterval(start, end), RangeError, `${start} ${end}`);
  requireValidInterval(0, slotMs);
  requireValidInterval(-slotMs, maxBookingLengthMs - slotMs);
});

test('[bookings.13] two bookings share a slot if and only if their times overlap', () => {
  const time = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(time, time, ([a, aLength], [b, bLength]) => {
      const first = listSlots(a * slotMs, (a + aLength) * slotMs);
      const second = new Set(listSlots(b * slotMs, (b + bLength) * slotMs));
      assert.deepEqual([first[0], first.length], [a, aLength]);
      assert.equal(
        first.some((slot) => second.has(slot)),
        a < b + bLength && b < a + aLength,
      );
    }),
  );
});

test('no booking that has not ended has a slot before the oldest useful one', () => {
  const instants = fc.integer({ min: 0, max: 10_000 * slotMs });
  fc.assert(
    fc.property(
      instants,
      fc.integer({ min: 1, max: maxBookingLengthMs / slotMs }),
      fc.integer({ min: 1, max: maxBookingLengthMs / slotMs }),
      (now, length, left) => {
        const end = (Math.floor(now / slotMs) + Math.min(left, length)) * slotMs;
        const [first = 0] = listSlots(end - length * slotMs, end);
        assert.ok(first >= oldestUsefulSlot(now));
      },
    ),
  );
});
