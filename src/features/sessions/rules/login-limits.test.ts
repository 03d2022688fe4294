// What the limits allow, against histories of failures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addFailure, secondsUntilAllowed, type FailureCount } from '../../failed-attempts/rules/failure-limits.ts';
import { createLoginCounters } from './login-limits.ts';

const { accountFromAddress, account, address } = createLoginCounters('anna', '192.0.2.1');

test('each counter has a hash of its own, which depends on what it counts', () => {
  const hashes = [
    ['anna', '192.0.2.1'],
    ['anna', '192.0.2.2'],
    ['bo', '192.0.2.1'],
  ].flatMap(([name = '', from = '']) => Object.values(createLoginCounters(name, from)).map(({ hash }) => hash));
  // The account of Anna and the first address are counted twice.
  assert.equal(new Set(hashes).size, hashes.length - 2);
});

for (const [name, { limit }] of Object.entries({ accountFromAddress, account, address }))
  test(`${name}: never more failures than allowed, and exactly after the wait another one`, () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30_000 }), { minLength: 1, maxLength: 400 }), (pausesMs) => {
        let now = 0;
        let stored: FailureCount | undefined;
        let allowed = 0;
        for (const pauseMs of pausesMs) {
          now += pauseMs;
          const seconds = secondsUntilAllowed(limit, stored, { pending: 0, now });
          if (seconds > 0) {
            assert.ok(seconds <= 300);
            assert.equal(secondsUntilAllowed(limit, stored, { pending: 0, now: now + seconds * 1000 }), 0);
            continue;
          }
          stored = addFailure(limit, stored, now);
          allowed += 1;
        }
        const windows = 'windowMs' in limit ? Math.floor(now / limit.windowMs) + 1 : 1;
        const refilled = 'refillMs' in limit ? Math.floor(now / limit.refillMs) : 0;
        assert.ok(allowed <= limit.maxFailures * windows + refilled);
      }),
    );
  });

test('pending attempts count like failures', () => {
  for (const { limit } of [accountFromAddress, account, address]) {
    assert.equal(secondsUntilAllowed(limit, undefined, { pending: limit.maxFailures - 1, now: 0 }), 0);
    assert.ok(secondsUntilAllowed(limit, undefined, { pending: limit.maxFailures, now: 0 }) > 0);
  }
});
