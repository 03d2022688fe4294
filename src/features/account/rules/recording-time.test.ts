// Checks the time at which an event is recorded: never before its settlement period, nor before earlier records.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../lib/problem.ts';
import { decideRecordingTime, isClockBehind } from './recording-time.ts';

const clockToleranceMs = 2000;

const time = fc.integer({ min: -20_000, max: 20_000 });

test('an event is recorded at the time of its request, but not before earlier records, or it is refused', () => {
  fc.assert(
    fc.property(time, time, time, fc.nat(20_000), (openedAt, lastWriteAt, now, waitedMs) => {
      const ledger = { openedAt, lastWriteAt };
      const currentTime = now + waitedMs;
      if (isClockBehind(ledger, currentTime)) {
        assert.throws(() => decideRecordingTime(ledger, { now, currentTime }), Problem);
        return;
      }
      const recordedAt = decideRecordingTime(ledger, { now, currentTime });
      assert.equal(recordedAt, Math.max(now, openedAt, lastWriteAt));
      assert.ok(recordedAt <= currentTime + clockToleranceMs);
    }),
  );
});

for (const [name, ledger, behindSeconds, retryAfterSeconds] of [
  ['a little', { openedAt: 0, lastWriteAt: clockToleranceMs + 1 }, 3, 3],
  ['a day', { openedAt: 0, lastWriteAt: 86_400_000 }, 86_400, 60],
  ['behind only the start of the period', { openedAt: 10_000, lastWriteAt: 0 }, 10, 10],
] as const)
  test(`a clock that is ${name} behind is refused, with the time until the next attempt`, () => {
    assert.throws(
      () => decideRecordingTime(ledger, { now: 0, currentTime: 0 }),
      (error) =>
        error instanceof Problem &&
        error.code === 'clock-behind' &&
        error.message.includes(`${behindSeconds} seconds`) &&
        error.retryAfterSeconds === retryAfterSeconds,
    );
  });

test('clocks of replicas can differ a little in both directions', () => {
  const ledger = { openedAt: 0, lastWriteAt: clockToleranceMs };
  assert.equal(decideRecordingTime(ledger, { now: 0, currentTime: 0 }), clockToleranceMs);
  assert.equal(decideRecordingTime(ledger, { now: 5000, currentTime: 5000 }), 5000);
});
