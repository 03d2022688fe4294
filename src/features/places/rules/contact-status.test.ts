// Checks the contact status at every bound, and at random times against an oracle that computes with durations.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactBounds, contactStatusOf, type ContactStatus } from './contact-status.ts';

const now = 834_000_000_000;
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const status = (bankType: number, silentMs: number | null): ContactStatus =>
  contactStatusOf(silentMs === null ? null : now - silentMs, contactBounds(bankType, now));

test('[places.13] a unit is online until an hour or a day without contact, then offline up to 100 days, then unknown', () => {
  const table: [silentMs: number | null, cash: ContactStatus, rent: ContactStatus][] = [
    [0, 'Online', 'Online'],
    [-minute, 'Online', 'Online'],
    [-400 * day, 'Online', 'Online'],
    [hour - 1, 'Online', 'Online'],
    [hour, 'Offline', 'Online'],
    [hour + 1, 'Offline', 'Online'],
    [day - 1, 'Offline', 'Online'],
    [day, 'Offline', 'Offline'],
    [day + 1, 'Offline', 'Offline'],
    [100 * day - 1, 'Offline', 'Offline'],
    [100 * day, 'Offline', 'Offline'],
    [100 * day + 1, 'Unknown', 'Unknown'],
    [9000 * day, 'Unknown', 'Unknown'],
    [null, 'Unknown', 'Unknown'],
  ];
  for (const [silentMs, cash, rent] of table) {
    assert.equal(status(1, silentMs), cash, `cash ${silentMs}`);
    assert.equal(status(2, silentMs), rent, `rent ${silentMs}`);
    assert.equal(status(0, silentMs), rent, `unknown bank type ${silentMs}`);
  }
});

test('[places.13] the status depends on the time since the last contact', () => {
  const silence = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -200 * day, max: 200 * day }),
    fc
      .tuple(fc.constantFrom(0, hour, day, 100 * day), fc.integer({ min: -2, max: 2 }))
      .map(([bound, off]) => bound + off),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 }), silence, (bankType, silentMs) => {
      const silent = silentMs === null ? null : Temporal.Duration.from({ milliseconds: silentMs });
      const within = (limit: Temporal.DurationLike): number =>
        silent === null ? 1 : Temporal.Duration.compare(silent, limit);
      const expected =
        within(bankType === 1 ? { hours: 1 } : { hours: 24 }) < 0
          ? 'Online'
          : within({ hours: 2400 }) <= 0
            ? 'Offline'
            : 'Unknown';
      assert.equal(status(bankType, silentMs), expected);
    }),
    { numRuns: 500 },
  );
});
