// The counter behind every limit, against a history that is counted anew each time; and the address that is counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { rateLimitKeyOfAddress, FixedWindow } from './fixed-window.ts';

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

/** What is used of a key's window at `atMs`, from everything that ever happened to it. */
function usedAt(events: readonly CountEvent[], atMs: number, windowMs: number): { used: number; endsAtMs: number } {
  let startMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  for (const event of [...events, { atMs, counts: 0 }]) {
    const isOver = event.atMs >= startMs + windowMs;
    if (isOver && event.counts !== -1) [startMs, used] = [event.atMs, 0];
    used = Math.max(0, used + event.counts);
  }
  return { used, endsAtMs: startMs + windowMs };
}

test('a window lets its limit through and no more, key by key, whatever is given back', () => {
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

test('a window begins with its first use and ends exactly when its time is over', () => {
  let nowMs = 500;
  const window = new FixedWindow(1, 60, () => nowMs);
  assert.deepEqual(window.take('a'), { allowed: true, remaining: 0, resetSeconds: 60 });
  nowMs += 59_999;
  assert.deepEqual(window.take('a'), { allowed: false, remaining: 0, resetSeconds: 1 });
  nowMs += 1;
  assert.deepEqual(window.take('a'), { allowed: true, remaining: 0, resetSeconds: 60 });
});

test('the number of keys is bounded: those longest unused are forgotten first', () => {
  const window = new FixedWindow(1, 60, () => 0, 2);
  for (const key of ['a', 'b', 'c']) assert.ok(window.take(key).allowed);
  assert.ok(!window.take('c').allowed);
  assert.ok(!window.take('b').allowed);
  assert.ok(window.take('a').allowed);
});

test('an address is counted as it is, and an IPv4 address in IPv6 clothes as the IPv4 address', () => {
  const keys: [address: string, key: string][] = [
    ['127.0.0.1', '127.0.0.1'],
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8::', '2001:db8:0:0'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['1:2:3:4:5:6:7::', '1:2:3:4'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['fe80::a:b:c:d%1', 'fe80:0:0:0'],
  ];
  for (const [address, key] of keys) assert.equal(rateLimitKeyOfAddress(address), key, address);
});

test('IPv6 addresses are one client exactly where their first 64 bits are the same', () => {
  // Zeros and small numbers make the shortened spellings likely.
  const group = fc.oneof(fc.constant(0), fc.nat({ max: 2 }), fc.nat({ max: 0xffff }));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  const spelled = (groups: readonly number[]): string =>
    new URL(`http://[${groups.map((each) => each.toString(16)).join(':')}]/`).hostname.slice(1, -1);
  fc.assert(
    fc.property(half, half, half, half, (network, other, host, otherHost) => {
      const key = rateLimitKeyOfAddress(spelled([...network, ...host]));
      assert.equal(rateLimitKeyOfAddress(spelled([...network, ...otherHost])), key);
      assert.equal(rateLimitKeyOfAddress(spelled([...other, ...host])) === key, network.join() === other.join());
    }),
  );
});
