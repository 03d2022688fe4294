// The counter that all limits use, against a history that is counted from the start each time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FixedWindow } from './fixed-window.ts';

type Step = { readonly act: 'take' | 'giveBack' | 'forget'; readonly key: string; readonly waitMs: number };

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.oneof(
    { weight: 6, arbitrary: fc.constant('take') },
    { weight: 3, arbitrary: fc.constant('giveBack') },
    { weight: 1, arbitrary: fc.constant('forget') },
  ),
  key: fc.constantFrom('a', 'b'),
  waitMs: fc.oneof(fc.constant(0), fc.nat({ max: 4000 })),
});

type CountEvent = { readonly atMs: number; readonly counts: 1 | -1 };

/** What is used of a key's window at `atMs`, counted from the key's whole history. */
function usedAt(events: readonly CountEvent[], atMs: number, windowMs: number): { used: number; endsAtMs: number } {
  let startMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  for (const event of [...events, { atMs, counts: 0 }]) {
    const isOver = event.atMs >= startMs + windowMs;
    if (isOver && event.counts !== -1) [startMs, used] = [event.atMs, 0];
    used = Math.max(0, used + event.counts);
    // A window without events does not exist.
    if (event.counts === -1 && used === 0) startMs = Number.NEGATIVE_INFINITY;
  }
  return { used, endsAtMs: startMs + windowMs };
}

test('a window allows exactly its limit for each key, whatever is given back', () => {
  const limits = fc.record({ limit: fc.integer({ min: 1, max: 5 }), windowSeconds: fc.integer({ min: 1, max: 10 }) });
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 60 }), ({ limit, windowSeconds }, steps) => {
      let nowMs = 0;
      const window = new FixedWindow(limit, windowSeconds, () => nowMs);
      const history = new Map<string, CountEvent[]>();
      for (const { act, key, waitMs } of steps) {
        nowMs += waitMs;
        const events = history.get(key) ?? [];
        if (act === 'forget') {
          window.forget(key);
          history.delete(key);
          continue;
        }
        if (act === 'giveBack') {
          window.giveBack(key);
          history.set(key, [...events, { atMs: nowMs, counts: -1 }]);
          continue;
        }
        const { used, endsAtMs } = usedAt(events, nowMs, windowSeconds * 1000);
        const allowed = used < limit;
        assert.deepEqual(window.take(key), {
          allowed,
          remaining: limit - used - (allowed ? 1 : 0),
          resetSeconds: Math.ceil((endsAtMs - nowMs) / 1000),
        });
        if (allowed) history.set(key, [...events, { atMs: nowMs, counts: 1 }]);
      }
    }),
  );
});

test('a new window resets after exactly its length, whatever the fractions of the clock are', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (nowMs) => {
      assert.equal(new FixedWindow(1, 300, () => nowMs).take('key').resetSeconds, 300);
    }),
  );
});

test('a window begins with its first use and ends exactly when its time is over', () => {
  let nowMs = 500;
  const window = new FixedWindow(1, 60, () => nowMs);
  assert.deepEqual(window.take('a'), { allowed: true, remaining: 0, resetSeconds: 60 });
  nowMs += 59_999;
  assert.deepEqual(window.take('a'), { allowed: false, remaining: 0, resetSeconds: 1 });
  nowMs += 1;
  assert.deepEqual(window.take('a'), { allowed: true, remaining: 0, resetSeconds: 60 });
});

test('the number of keys is bounded: the least recently used ones are forgotten first', () => {
  const window = new FixedWindow(1, 60, () => 0, 2);
  for (const key of ['a', 'b', 'c']) assert.ok(window.take(key).allowed);
  assert.ok(!window.take('c').allowed);
  assert.ok(!window.take('b').allowed);
  assert.ok(window.take('a').allowed);
});
