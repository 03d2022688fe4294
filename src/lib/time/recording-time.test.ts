// Checks the time at which something is recorded: never before the latest record.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../problem.ts';
import { decideRecordingTime, isClockBehind } from './recording-time.ts';

const clockToleranceMs = 2000;

const time = fc.integer({ min: -20_000, max: 20_000 });

test('an event is recorded at the time of its request, but not before earlier records, or it is refused', () => {
  fc.assert(
    fc.property(time, time, fc.nat(20_000), (latest, now, waitedMs) => {
      const currentTime = now + waitedMs;
      if (isClockBehind(latest, currentTime)) {
        assert.throws(() => decideRecordingTime(latest, { now, currentTime }), Problem);
        return;
      }
      const recordedAt = decideRecordingTime(latest, { now, currentTime });
      assert.equal(recordedAt, Math.max(now, latest));
      assert.ok(recordedAt <= currentTime + clockToleranceMs);
    }),
  );
});

for (const [name, latest, behindSeconds, retryAfterSeconds] of [
  ['a little', clockToleranceMs + 1, 3, 3],
  ['a day', 86_400_000, 86_400, 60],
] as const)
  test(`a clock that is ${name} behind is refused, with the time until the next attempt`, () => {
    assert.throws(
      () => decideRecordingTime(latest, { now: 0, currentTime: 0 }),
      (error) =>
        error instanceof Problem &&
        error.code === 'clock-behind' &&
        error.message.includes(`${behindSeconds} seconds`) &&
        error.retryAfterSeconds === retryAfterSeconds,
    );
  });

test('clocks of replicas can differ a little in both directions', () => {
  const latest = clockToleranceMs;
  assert.equal(decideRecordingTime(latest, { now: 0, currentTime: 0 }), clockToleranceMs);
  assert.equal(decideRecordingTime(latest, { now: 5000, currentTime: 5000 }), 5000);
});
