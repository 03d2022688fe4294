// What stored rows mean for devices: who may use a key, and the hours of a unit.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayUseKeys } from '../../residents/rules/key-use.ts';
import { keyTextOf, toHoursThing, toKeyThings, type StoredKey } from './to-things.ts';

const bank = { tenant: 'sund', bankId: 1001 };
const now = 1000;
const row = (change: Partial<StoredKey> = {}): StoredKey => ({
  kind: 'Tag',
  key_number: 'AB12',
  resident_id: 1001,
  enabled: 1,
  deleted_at: null,
  expired_at: null,
  ...change,
});

test('a key is removed where its resident is disabled, deleted or expired, or nobody has it', () => {
  const removed = [{ kind: 'key', key: 'AB12', removed: true }];
  const things = (rows: readonly StoredKey[]) => toKeyThings(bank, ['AB12'], { rows, units: ['U'], now });
  for (const change of [{ enabled: 0 }, { deleted_at: 1 }, { expired_at: now }, { expired_at: now - 1 }])
    assert.deepEqual(things([row(change)]), removed);
  assert.deepEqual(things([]), removed);
  const key = { kind: 'key', key: 'AB12', residentKid: 'sund-B1001-R1001', units: ['U'] };
  assert.deepEqual(things([row()]), [{ ...key, until: null }]);
  assert.deepEqual(things([row({ expired_at: now + 1 })]), [{ ...key, until: '2000-01-01T00:00:01.001Z' }]);
});

test('each key is told once, and is of the one resident who may use it, whoever else has the number', () => {
  const stored = fc.record({
    kind: fc.constantFrom('Tag', 'Card'),
    key_number: fc.constantFrom('AAAA', 'BBBB', 'CCCC'),
    resident_id: fc.integer({ min: 1001, max: 1004 }),
    enabled: fc.constantFrom(0, 1),
    deleted_at: fc.option(fc.integer({ min: 0, max: 2000 })),
    expired_at: fc.option(fc.integer({ min: 0, max: 2000 })),
  });
  fc.assert(
    fc.property(fc.array(stored), (rows) => {
      const keys = new Set(rows.map(keyTextOf));
      const things = toKeyThings(bank, keys, { rows, units: [], now });
      assert.deepEqual(
        things.map(({ key }) => key),
        [...keys],
      );
      for (const thing of things) {
        const holders = rows.filter((each) => keyTextOf(each) === thing.key && mayUseKeys(each, now));
        assert.equal('removed' in thing, holders.length === 0);
        if (!('removed' in thing))
          assert.ok(holders.some(({ resident_id }) => thing.residentKid.endsWith(`-R${resident_id}`)));
      }
    }),
  );
});

test('an exception of the unit comes before one of the location on the same day, in whatever order', () => {
  const ofLocation = { unit_id: 0, day: '2026-12-24', intervals: '' };
  const ofUnit = { unit_id: 2, day: '2026-12-24', intervals: '08:00-12:00' };
  const ofOther = { unit_id: 3, day: '2026-12-25', intervals: '' };
  const unit = { location_id: 1, unit_id: 2, time_zone: 'UTC' };
  const texts = new Map([['OpeningMonday', '07:00-22:00']]);
  for (const exceptions of [
    [ofLocation, ofUnit, ofOther],
    [ofOther, ofUnit, ofLocation],
  ])
    assert.deepEqual(toHoursThing(bank, { unit, texts, exceptions })?.exceptions, [
      { date: '2026-12-24', intervals: '08:00-12:00' },
    ]);
  assert.deepEqual(toHoursThing(bank, { unit, texts, exceptions: [ofLocation] })?.exceptions, [
    { date: '2026-12-24', intervals: 'closed' },
  ]);
  assert.equal(toHoursThing(bank, { unit, texts: new Map(), exceptions: [] }), undefined);
});
