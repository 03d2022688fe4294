// Checks when something that may happen a few times in an hour can happen again.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourlyWindowMs, secondsUntilNext } from './hourly-limit.ts';

test('[managers.17] no hour has more events than the limit, and the wait ends when the next one is allowed', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 2_000_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 10 }), (waits, limit) => {
      const accepted: number[] = [];
      let now = 0;
      for (const pause of waits) {
        now += pause;
        const wait = secondsUntilNext(accepted, limit, now);
        if (wait === 0) accepted.push(now);
        else {
          assert.ok(Number.isInteger(wait) && wait <= hourlyWindowMs / 1000);
          assert.equal(secondsUntilNext(accepted, limit, now + wait * 1000), 0);
          if (wait > 1) assert.notEqual(secondsUntilNext(accepted, limit, now + (wait - 1) * 1000 - 1), 0);
        }
      }
      for (const [index, time] of accepted.entries()) {
        const later = accepted[index + limit];
        if (later !== undefined) assert.ok(later - time >= hourlyWindowMs);
      }
    }),
  );
});
