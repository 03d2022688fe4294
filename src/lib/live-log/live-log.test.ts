// The live log against a plain oracle: the last 100 events that are young enough, the newest first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createLiveLog, type OwnLiveLogEvent } from './live-log.ts';

const liveLogMaxAgeMs = 15 * 60_000;
const now = 10 * liveLogMaxAgeMs;
const begin: OwnLiveLogEvent = {
  at: now,
  tenant: undefined,
  level: 'Information',
  messageTemplate: 'an event',
  category: 'service',
};

const drafts = fc.array(
  fc.record({
    // Few times, so that many are equal.
    ageMs: fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: -2, max: 2 }).map((ms) => liveLogMaxAgeMs + ms),
    ),
    tenant: fc.constantFrom('sund', 'fjord', undefined),
  }),
  { maxLength: 250, size: 'max' },
);

test('[livelogs.06, livelogs.13] the last 100 events that are younger than 15 minutes are listed, the newest first', () => {
  fc.assert(
    fc.property(drafts, (events) => {
      const liveLog = createLiveLog(() => now);
      const added = events.map(({ ageMs, tenant }, bankId) => ({ ...begin, at: now - ageMs, tenant, bankId }));
      for (const event of added) liveLog.add(event);
      const expected = added
        .slice(-100)
        .filter(({ at, tenant }) => now - at < liveLogMaxAgeMs && tenant !== 'fjord')
        .toSorted((a, b) => (a.at === b.at ? b.bankId - a.bankId : b.at - a.at));
      assert.deepEqual(liveLog.list('sund'), expected);
    }),
  );
});

test('an event without a time has that of the clock', () => {
  const liveLog = createLiveLog(() => now);
  const { at: _at, ...event } = begin;
  liveLog.add(event);
  assert.deepEqual(liveLog.list('sund'), [begin]);
});
