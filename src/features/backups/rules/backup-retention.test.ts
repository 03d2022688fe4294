// Which backups are kept: a table, and what holds for all directories.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBackupName, listExpiredBackups, type KeptBackups } from './backup-retention.ts';

const name = (time: string, tenant = 'sund'): string => formatBackupName(tenant, new Date(`${time}:00Z`));
const none: KeptBackups = { daily: 0, weekly: 0, monthly: 0 };

/** From the newest on. 2026-06-01 is a Monday. */
const times = [
  '2026-06-02T15:00',
  '2026-06-02T03:00',
  '2026-06-01T03:00',
  '2026-05-31T03:00',
  '2026-05-25T03:00',
  '2026-05-24T23:59',
  '2026-04-30T03:00',
  '2025-12-31T03:00',
];

const cases: [kept: Partial<KeptBackups>, keptTimes: string[]][] = [
  [{}, ['2026-06-02T15:00']],
  [{ daily: 1 }, ['2026-06-02T15:00']],
  [{ daily: 3 }, ['2026-06-02T15:00', '2026-06-01T03:00', '2026-05-31T03:00']],
  [{ weekly: 3 }, ['2026-06-02T15:00', '2026-05-31T03:00', '2026-05-24T23:59']],
  [{ monthly: 3 }, ['2026-06-02T15:00', '2026-05-31T03:00', '2026-04-30T03:00']],
  [{ monthly: 100 }, ['2026-06-02T15:00', '2026-05-31T03:00', '2026-04-30T03:00', '2025-12-31T03:00']],
  [{ daily: 2, monthly: 2 }, ['2026-06-02T15:00', '2026-06-01T03:00', '2026-05-31T03:00']],
];

test('the newest backup of so many days, weeks and months is kept', () => {
  for (const [kept, keptTimes] of cases) {
    const expired = listExpiredBackups('sund', times.map((time) => name(time)).toReversed(), { ...none, ...kept });
    assert.deepEqual(
      times.filter((time) => !expired.includes(name(time))),
      keptTimes,
      JSON.stringify(kept),
    );
  }
});

test('a name of another form, or of another tenant, is never among those that expire', () => {
  const others = [
    name('2020-01-01T00:00', 'fjord'),
    'sund-20200101T000000Z.backup.part',
    '.sund-20200101T000000Z.backup',
    'sund-20200101.backup',
    'sund-20200231T000000Z.backup',
    'sund-20201301T000000Z.backup',
    'sund-20200101T000000Z.BACKUP',
    'sund.sqlite',
    '',
  ];
  assert.deepEqual(
    listExpiredBackups('sund', [...others, ...times.map((time) => name(time))], none),
    times.slice(1).map((time) => name(time)),
  );
});

const anyTime = fc.date({ min: new Date('2024-12-20Z'), max: new Date('2026-02-10Z'), noInvalidDate: true });
const anyKept = fc.record({ daily: fc.nat(9), weekly: fc.nat(9), monthly: fc.nat(9) });

test('of any directory the newest stays, what stays is bounded, and a second run removes nothing', () => {
  fc.assert(
    fc.property(fc.array(anyTime, { minLength: 1 }), fc.array(fc.string()), anyKept, (dates, strays, kept) => {
      const names = [...new Set(dates.map((at) => formatBackupName('sund', at)))];
      const expired = new Set(listExpiredBackups('sund', [...names, ...strays], kept));
      const left = names.filter((each) => !expired.has(each));
      assert.ok(left.includes(names.toSorted().at(-1) ?? ''));
      assert.ok(left.length <= Math.max(1, kept.daily + kept.weekly + kept.monthly));
      assert.ok(left.length >= Math.min(kept.daily, new Set(names.map((each) => each.slice(0, 13))).size));
      assert.deepEqual(listExpiredBackups('sund', [...left, ...strays], kept), []);
      assert.ok(strays.every((each) => !expired.has(each)));
    }),
  );
});
