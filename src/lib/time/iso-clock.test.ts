// Tests that the clock formats times as ISO 8601.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createIsoClock } from './iso-clock.ts';

test('the time is formatted as ISO 8601, whatever the clock does', () => {
  const steps = fc.array(fc.integer({ min: -2500, max: 2500 }), { maxLength: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), steps, (begin, moves) => {
      let now = begin + 2500 * 50;
      const spell = createIsoClock(() => now);
      for (const move of [0, ...moves]) {
        now += move;
        assert.equal(spell(), new Date(now).toISOString());
      }
    }),
  );
});
