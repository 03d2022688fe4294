// An allowance that is spent and comes back: it is never exceeded, over any time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { TokenBucket } from './token-bucket.ts';

test('the whole allowance may be spent at once; then one more comes after each interval', () => {
  // Sums of such numbers are rounded.
  let nowMs = 1000.1;
  const bucket = new TokenBucket({ capacity: 3, refillSeconds: 10, monotonic: () => nowMs });
  for (let count = 0; count < 3; count += 1) assert.ok(bucket.take('a').allowed);
  assert.deepEqual(bucket.take('a'), { allowed: false, resetSeconds: 10 });
  assert.ok(bucket.take('b').allowed, 'each key has its own');
  nowMs += 9001.3;
  assert.deepEqual(bucket.take('a'), { allowed: false, resetSeconds: 1 });
  nowMs += 999.7;
  assert.ok(bucket.take('a').allowed);
  assert.deepEqual(bucket.take('a'), { allowed: false, resetSeconds: 10 });
  nowMs += 3_000_000;
  for (let count = 0; count < 3; count += 1) assert.ok(bucket.take('a').allowed);
  assert.ok(!bucket.take('a').allowed);
});

test('what is given back can be taken again, and no more than that', () => {
  const bucket = new TokenBucket({ capacity: 2, refillSeconds: 10, monotonic: () => 0 });
  bucket.giveBack('a');
  assert.deepEqual(
    [1, 2, 3].map(() => bucket.take('a').allowed),
    [true, true, false],
  );
  bucket.giveBack('a');
  assert.deepEqual(
    [1, 2].map(() => bucket.take('a').allowed),
    [true, false],
  );
  for (let count = 0; count < 9; count += 1) bucket.giveBack('a');
  assert.deepEqual(
    [1, 2, 3].map(() => bucket.take('a').allowed),
    [true, true, false],
  );
});

test('over any time no more is allowed than the allowance and what came back meanwhile', () => {
  const options = fc.record({
    capacity: fc.integer({ min: 1, max: 5 }),
    refillSeconds: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(
      options,
      fc.array(fc.double({ min: 0, max: 5000, noNaN: true }), { maxLength: 60 }),
      (limits, waits) => {
        let nowMs = 0;
        const bucket = new TokenBucket({ ...limits, monotonic: () => nowMs });
        const allowedAt: number[] = [];
        for (const wait of waits) {
          nowMs += wait;
          const { allowed, resetSeconds } = bucket.take('a');
          if (allowed) allowedAt.push(nowMs);
          else assert.ok(resetSeconds >= 1 && resetSeconds <= limits.refillSeconds);
        }
        for (const [index, from] of allowedAt.entries()) {
          const during = allowedAt.slice(index).map((to, count) => [count + 1, to - from] as const);
          for (const [count, spanMs] of during)
            assert.ok(count <= limits.capacity + (spanMs + 1) / (limits.refillSeconds * 1000));
        }
      },
    ),
  );
});

test('the number of keys is bounded', () => {
  const bucket = new TokenBucket({ capacity: 1, refillSeconds: 10, monotonic: () => 0, maxKeys: 2 });
  for (const key of ['a', 'b', 'c']) assert.ok(bucket.take(key).allowed);
  assert.ok(!bucket.take('c').allowed);
  assert.ok(bucket.take('a').allowed);
});
