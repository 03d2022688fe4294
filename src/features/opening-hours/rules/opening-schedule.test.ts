// Checks which units share a schedule, which days share hours, and which exception applies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameHoursEveryDay, weekOpeningSettings } from '../../../../test/support/opening-hours.ts';
import type { OpeningExceptionRow } from './exception-lookup.ts';
import { formatClock } from './opening-intervals.ts';
import { groupBySchedule, groupDaysByHours } from './opening-schedule.ts';

type Texts = [name: string, value: string][];
const units = (...texts: Texts[]) => new Map(texts.map((each, index) => [index + 1, new Map(each)]));
const exception = (unit_id: number, day: string, intervals: string, text = ''): OpeningExceptionRow => ({
  unit_id,
  day,
  intervals,
  text,
});
const members = (texts: Texts[], stored: OpeningExceptionRow[] = []): (readonly number[])[] =>
  groupBySchedule(units(...texts), stored).map(({ unitIds }) => unitIds);

test('[hours.01] units with the same hours and exceptions share a group, the lowest id first', () => {
  const [a, b] = [sameHoursEveryDay('07:00-22:00'), sameHoursEveryDay('08:00-22:00')];
  assert.deepEqual(members([]), []);
  assert.deepEqual(members([a, a, a]), [[1, 2, 3]]);
  assert.deepEqual(members([b, a, b, a]), [
    [1, 3],
    [2, 4],
  ]);
  // The same hours in another spelling.
  assert.deepEqual(
    members([sameHoursEveryDay('13:00-00:00,07:00-12:00'), sameHoursEveryDay('07:00-12:00,13:00-24:00')]),
    [[1, 2]],
  );
  // One different day separates them, whether it is closed or unknown.
  const fridays = (text: string | undefined) => weekOpeningSettings(...['', '', '', ''].map(() => '07:00-22:00'), text);
  assert.deepEqual(members([fridays('closed'), fridays(undefined), fridays('closed'), fridays('')]), [
    [1, 3],
    [2, 4],
  ]);
});

test('[hours.01] different exceptions separate units with the same week, equal ones do not', () => {
  const a = sameHoursEveryDay('07:00-22:00');
  const whole = exception(0, '2026-12-24', 'closed', 'Holiday');
  assert.deepEqual(members([a, a], [whole]), [[1, 2]]);
  assert.deepEqual(members([a, a], [whole, exception(2, '2026-12-24', '07:00-12:00')]), [[1], [2]]);
  assert.deepEqual(members([a, a], [whole, exception(2, '2026-12-24', '', 'Holiday')]), [[1, 2]]);
  assert.deepEqual(members([a, a], [whole, exception(2, '2026-12-24', '', 'Repair')]), [[1], [2]]);
  assert.deepEqual(members([a, a], [exception(2, '2026-12-25', 'closed')]), [[1], [2]]);
});

test('[hours.02] a unit’s own exception replaces that of its location, and exceptions are sorted by date', () => {
  const stored = [
    exception(1, '2026-12-31', '10:00-12:00', 'own'),
    exception(0, '2026-12-31', 'closed', 'all'),
    exception(0, '2026-12-24', 'closed', 'all'),
    exception(1, '2026-12-01', 'nonsense', 'own'),
    exception(0, '2026-02-30', 'closed', 'no day of any year'),
  ];
  const { schedule } = groupBySchedule(units([]), stored)[0]!;
  assert.deepEqual(
    [...schedule.exceptions],
    [
      ['2026-12-01', { hours: undefined, text: 'own' }],
      ['2026-12-24', { hours: [], text: 'all' }],
      ['2026-12-31', { hours: [{ from: 600, to: 720 }], text: 'own' }],
    ],
  );
});

test('[hours.09] days with the same hours are grouped, Monday is 1 and Sunday 7, and unknown days are left out', () => {
  const days = (texts: Texts) => {
    const { schedule } = groupBySchedule(units(texts), [])[0]!;
    return groupDaysByHours(schedule).map((each) => [
      each.days.join(''),
      each.hours.map(({ from, to }) => `${formatClock(from)}-${formatClock(to)}`).join(),
    ]);
  };
  const open = '07:00-22:00';
  assert.deepEqual(days(sameHoursEveryDay(open)), [['1234567', open]]);
  assert.deepEqual(days(weekOpeningSettings(open, open, open, open, open, '10:00-14:00', 'closed')), [
    ['12345', open],
    ['6', '10:00-14:00'],
    ['7', ''],
  ]);
  assert.deepEqual(days(weekOpeningSettings('closed', open, 'closed', open, 'rubbish', undefined, open)), [
    ['13', ''],
    ['247', open],
  ]);
  assert.deepEqual(
    days(weekOpeningSettings(undefined, undefined, undefined, undefined, undefined, undefined, '14:00-02:00')),
    [['7', '14:00-02:00']],
  );
  assert.deepEqual(days([]), []);
});
