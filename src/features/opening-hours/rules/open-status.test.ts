// Checks the status and its next change: by table, and against an oracle that marks every minute of two months without
// Temporal.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameHoursEveryDay, weekOpeningSettings } from '../../../../test/support/opening-hours.ts';
import {
  dateText,
  dayOfWall,
  instantAt,
  parseUtcMinute,
  tenantClocks,
  wallTimeAt,
  wallOfDay,
  weekdayOf,
  type ZoneClock,
} from '../../../../test/support/clock-changes.ts';
import { parseUtc, toMs2000, formatUtc } from '../../../lib/time/ms2000.ts';
import { groupBySchedule, type OpeningSchedule } from './opening-schedule.ts';
import { createLocalCalendar } from './local-calendar.ts';
import { findNextStatusChange, openStatusNow } from './open-status.ts';

type Texts = [name: string, value: string][];
const copenhagen = 'Europe/Copenhagen';

function scheduleOf(week: Texts, exceptions: Readonly<Record<string, string>> = {}): OpeningSchedule {
  const stored = Object.entries(exceptions).map(([day, intervals]) => ({ unit_id: 0, day, intervals, text: '' }));
  const [group] = groupBySchedule(new Map([[1, new Map(week)]]), stored);
  return group!.schedule;
}

/** `open`, `closed` or `?`, then the next change. */
function describeStatus(schedule: OpeningSchedule, utc: string, zone = copenhagen): string {
  const calendar = createLocalCalendar(zone, parseUtc(utc)!);
  const status = openStatusNow(schedule, calendar);
  const change = findNextStatusChange(schedule, calendar);
  const next = change === null ? '-' : `${change.opens ? 'opens' : 'closes'} ${formatUtc(change.at).slice(0, 16)}`;
  return `${status === null ? '?' : status ? 'open' : 'closed'}, ${next}`;
}

type StatusCase = [now: string, expected: string];
function assertStatuses(schedule: OpeningSchedule, rows: readonly StatusCase[], zone = copenhagen): void {
  for (const [now, text] of rows) assert.equal(describeStatus(schedule, now, zone), text, now);
}

test('[hours.08] a unit is open from the start of an interval up to its end, and the next change says whether it opens or closes', () => {
  // Summer in Copenhagen is two hours ahead; 15 June 2026 is a Monday.
  assertStatuses(scheduleOf(sameHoursEveryDay('07:00-12:00,13:00-22:00')), [
    ['2026-06-15T04:59:59.999Z', 'closed, opens 2026-06-15T05:00'],
    ['2026-06-15T05:00:00Z', 'open, closes 2026-06-15T10:00'],
    ['2026-06-15T09:59:59.999Z', 'open, closes 2026-06-15T10:00'],
    ['2026-06-15T10:00:00Z', 'closed, opens 2026-06-15T11:00'],
    ['2026-06-15T20:00:00Z', 'closed, opens 2026-06-16T05:00'],
  ]);
});

test('[hours.08] an interval over midnight lasts into the next day, whatever the hours of that day', () => {
  const schedule = scheduleOf(
    weekOpeningSettings('closed', 'closed', 'closed', 'closed', '14:00-02:00', '14:00-02:00', 'closed'),
  );
  assertStatuses(schedule, [
    ['2026-06-19T12:00:00Z', 'open, closes 2026-06-20T00:00'],
    ['2026-06-19T23:59:00Z', 'open, closes 2026-06-20T00:00'],
    ['2026-06-20T00:00:00Z', 'closed, opens 2026-06-20T12:00'],
    ['2026-06-20T23:00:00Z', 'open, closes 2026-06-21T00:00'],
    ['2026-06-21T00:00:00Z', 'closed, opens 2026-06-26T12:00'],
  ]);
  // A closed exception replaces what begins on its day, not what reaches into it.
  assertStatuses(scheduleOf(sameHoursEveryDay('14:00-02:00'), { '2026-06-20': 'closed' }), [
    ['2026-06-19T23:00:00Z', 'open, closes 2026-06-20T00:00'],
    ['2026-06-20T12:00:00Z', 'closed, opens 2026-06-21T12:00'],
    ['2026-06-20T23:00:00Z', 'closed, opens 2026-06-21T12:00'],
  ]);
});

test('[hours.08] adjacent intervals are no change, and a unit that is always open or always closed never changes', () => {
  assertStatuses(scheduleOf(sameHoursEveryDay('07:00-12:00,12:00-22:00')), [
    ['2026-06-15T06:00:00Z', 'open, closes 2026-06-15T20:00'],
  ]);
  assertStatuses(scheduleOf(sameHoursEveryDay('07:00-13:00,08:00-09:00,12:00-22:00')), [
    ['2026-06-15T06:30:00Z', 'open, closes 2026-06-15T20:00'],
  ]);
  assertStatuses(
    scheduleOf(weekOpeningSettings('18:00-24:00', '00:00-06:00', 'closed', 'closed', 'closed', 'closed', 'closed')),
    [['2026-06-15T17:00:00Z', 'open, closes 2026-06-16T04:00']],
  );
  for (const always of ['00:00-24:00', '08:00-08:00', '12:00-06:00,05:00-12:00'])
    assertStatuses(scheduleOf(sameHoursEveryDay(always)), [['2026-06-15T06:00:00Z', 'open, -']]);
  assertStatuses(scheduleOf(sameHoursEveryDay('closed')), [['2026-06-15T06:00:00Z', 'closed, -']]);
});

test('[hours.03] unknown hours are neither open nor closed, and no change on or after such a day is known', () => {
  const open = '07:00-22:00';
  assertStatuses(scheduleOf([]), [['2026-06-15T06:00:00Z', '?, -']]);
  // Tuesday is not known.
  const schedule = scheduleOf(weekOpeningSettings('14:00-02:00', undefined, open, open, open, open, open));
  assertStatuses(schedule, [
    ['2026-06-15T11:00:00Z', 'closed, opens 2026-06-15T12:00'],
    // The status is unknown from the end of Monday's span on, so this end is not a closing.
    ['2026-06-15T12:00:00Z', 'open, -'],
    ['2026-06-15T23:59:00Z', 'open, -'],
    ['2026-06-16T00:00:00Z', '?, -'],
    ['2026-06-16T21:59:59Z', '?, -'],
    // No span is assumed to continue from Tuesday.
    ['2026-06-16T22:00:00Z', 'closed, opens 2026-06-17T05:00'],
  ]);
  // Closed: the unknown Tuesday comes before the next known opening.
  assertStatuses(scheduleOf(weekOpeningSettings('07:00-12:00', undefined, open, open, open, open, open)), [
    ['2026-06-15T09:00:00Z', 'open, closes 2026-06-15T10:00'],
    ['2026-06-15T10:00:00Z', 'closed, -'],
  ]);
  assertStatuses(scheduleOf(weekOpeningSettings('18:00-24:00', undefined)), [['2026-06-15T17:00:00Z', 'open, -']]);
  // A text that cannot be read is not known either.
  assertStatuses(scheduleOf(sameHoursEveryDay('7-22')), [['2026-06-15T06:00:00Z', '?, -']]);
  assertStatuses(scheduleOf(sameHoursEveryDay(open), { '2026-06-15': 'morning' }), [
    ['2026-06-14T19:00:00Z', 'open, closes 2026-06-14T20:00'],
    ['2026-06-14T20:00:00Z', 'closed, -'],
    ['2026-06-15T06:00:00Z', '?, -'],
  ]);
});

test('[hours.02, hours.08] exceptions apply to their day, also without weekly hours', () => {
  const exceptions = { '2026-06-15': '10:00-12:00', '2026-06-20': '18:00-03:00', '2027-02-01': '00:00-24:00' };
  for (const [week, between] of [
    [sameHoursEveryDay('closed'), 'closed'],
    [[], '?'],
  ] as const) {
    const next = (text: string): string => (between === '?' ? '-' : text);
    assertStatuses(scheduleOf([...week], exceptions), [
      ['2026-06-15T07:00:00Z', 'closed, opens 2026-06-15T08:00'],
      ['2026-06-15T08:00:00Z', 'open, closes 2026-06-15T10:00'],
      ['2026-06-15T10:00:00Z', `closed, ${next('opens 2026-06-20T16:00')}`],
      ['2026-06-17T10:00:00Z', `${between}, ${next('opens 2026-06-20T16:00')}`],
      ['2026-06-20T17:00:00Z', `open, ${next('closes 2026-06-21T01:00')}`],
      ['2026-06-21T10:00:00Z', `${between}, ${next('opens 2027-01-31T23:00')}`],
      ['2027-02-01T10:00:00Z', `open, ${next('closes 2027-02-01T23:00')}`],
      ['2027-02-02T10:00:00Z', `${between}, -`],
    ]);
  }
  // Always open except on one day far ahead: it closes at the end of the span before that day.
  assertStatuses(scheduleOf(sameHoursEveryDay('08:00-08:00'), { '2027-02-01': 'closed' }), [
    ['2026-06-15T07:00:00Z', 'open, closes 2027-02-01T07:00'],
    ['2027-02-01T07:00:00Z', 'closed, opens 2027-02-02T07:00'],
  ]);
  // Two exceptions years apart.
  assertStatuses(
    scheduleOf(sameHoursEveryDay('closed'), { '2026-06-14': '10:00-12:00', '2028-06-14': '10:00-12:00' }),
    [['2026-06-15T07:00:00Z', 'closed, opens 2028-06-14T08:00']],
  );
});

test('[hours.04] local times apply on days with a clock change', () => {
  const daily = scheduleOf(sameHoursEveryDay('02:30-07:00'));
  // On 29 March 2026 there is no 02:30, on 25 October there are two.
  assertStatuses(daily, [
    ['2026-03-28T05:59:00Z', 'open, closes 2026-03-28T06:00'],
    ['2026-03-28T06:00:00Z', 'closed, opens 2026-03-29T01:30'],
    ['2026-03-29T01:29:59Z', 'closed, opens 2026-03-29T01:30'],
    ['2026-03-29T01:30:00Z', 'open, closes 2026-03-29T05:00'],
    ['2026-10-24T22:00:00Z', 'closed, opens 2026-10-25T00:30'],
    ['2026-10-25T00:30:00Z', 'open, closes 2026-10-25T06:00'],
    ['2026-10-25T01:30:00Z', 'open, closes 2026-10-25T06:00'],
  ]);
  // Closes at the first of two 02:30s, and does not open again in the repeated hour.
  assertStatuses(scheduleOf(sameHoursEveryDay('00:30-02:30')), [
    ['2026-10-24T23:00:00Z', 'open, closes 2026-10-25T00:30'],
    ['2026-10-25T00:30:00Z', 'closed, opens 2026-10-25T23:30'],
    ['2026-10-25T01:15:00Z', 'closed, opens 2026-10-25T23:30'],
  ]);
  // The night over the change is an hour shorter, and an hour longer.
  assertStatuses(scheduleOf(sameHoursEveryDay('22:00-06:00')), [
    ['2026-03-28T21:00:00Z', 'open, closes 2026-03-29T04:00'],
    ['2026-10-24T20:00:00Z', 'open, closes 2026-10-25T05:00'],
  ]);
  // The only interval of the week does not open when a clock change skips all of it.
  const sundays = scheduleOf(
    weekOpeningSettings('closed', 'closed', 'closed', 'closed', 'closed', 'closed', '02:00-03:00'),
  );
  assertStatuses(sundays, [
    ['2026-03-22T02:00:00Z', 'closed, opens 2026-04-05T00:00'],
    ['2026-03-29T01:00:00Z', 'closed, opens 2026-04-05T00:00'],
    ['2026-10-25T00:00:00Z', 'open, closes 2026-10-25T02:00'],
  ]);
  // Hours that leave no gap on the clock leave none on the day that skips the start of an interval.
  for (const always of ['00:00-03:00,02:05-24:00', '12:00-03:00,02:05-12:00', '00:00-03:00,02:05-02:40,02:40-24:00'])
    assertStatuses(scheduleOf(sameHoursEveryDay(always)), [['2026-03-28T12:00:00Z', 'open, -']]);
  // 02:30 is skipped between two intervals that leave a gap: it opens at 03:30.
  assertStatuses(scheduleOf(sameHoursEveryDay('00:00-02:00,02:30-24:00')), [
    ['2026-03-28T23:00:00Z', 'open, closes 2026-03-29T01:00'],
    ['2026-03-29T01:00:00Z', 'closed, opens 2026-03-29T01:30'],
  ]);
});

test('[hours.04] a day is a local day of the location', () => {
  const mondays = scheduleOf(
    weekOpeningSettings('00:00-24:00', 'closed', 'closed', 'closed', 'closed', 'closed', 'closed'),
  );
  assertStatuses(mondays, [['2026-06-14T12:00:00Z', 'open, closes 2026-06-15T10:00']], 'Pacific/Kiritimati');
  assertStatuses(mondays, [['2026-06-15T05:00:00Z', 'closed, opens 2026-06-15T11:00']], 'Pacific/Pago_Pago');
  assertStatuses(mondays, [['2026-06-15T23:30:00Z', 'open, closes 2026-06-16T00:00']], 'Atlantic/Reykjavik');
  // Clocks go forward at midnight: the day begins at one.
  const sunday = scheduleOf(
    weekOpeningSettings('closed', 'closed', 'closed', 'closed', 'closed', 'closed', '00:00-24:00'),
  );
  assertStatuses(sunday, [['2026-03-28T20:00:00Z', 'closed, opens 2026-03-28T22:00']], 'Asia/Beirut');
});

// Minutes around clock changes, around midnight, and any others.
const minuteOfDay = fc.oneof(
  fc.constantFrom(0, 60, 90, 119, 120, 150, 179, 180, 181, 210, 1380, 1439),
  fc.integer({ min: 0, max: 287 }).map((cell) => cell * 5),
);
const interval = fc.tuple(minuteOfDay, fc.oneof(minuteOfDay, fc.constant(1440)));
type Times = readonly (readonly [from: number, to: number])[];
/** Undefined: not known. */
const times: fc.Arbitrary<Times | undefined> = fc.oneof(
  { weight: 8, arbitrary: fc.array(interval, { minLength: 1, maxLength: 3 }) },
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.constant([[0, 1440]] as const) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const week = fc.oneof(
  fc.array(times, { minLength: 7, maxLength: 7 }),
  times.map((each) => Array.from({ length: 7 }, () => each)),
);

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const textOf = (all: Times): string =>
  all.length === 0 ? 'closed' : all.map(([from, to]) => `${clock(from)}-${clock(to)}`).join();

/** Near a clock change, or anywhere within the years of the table. */
const instants = fc.oneof(
  fc
    .tuple(fc.constantFrom(...tenantClocks[0]!.changes), fc.integer({ min: -12 * 1440, max: 3 * 1440 }))
    .map(([change, minutes]) => change + minutes),
  fc.integer({ min: parseUtcMinute('2024-02-01T00:00:00Z'), max: parseUtcMinute('2030-10-01T00:00:00Z') }),
);

type GeneratedSchedule = {
  clocks: ZoneClock;
  now: number;
  hours: (day: number) => Times | undefined;
  schedule: OpeningSchedule;
};

const anySchedule: fc.Arbitrary<GeneratedSchedule> = fc
  .record({
    clocks: fc.constantFrom(...tenantClocks),
    now: instants,
    week,
    exceptions: fc.array(fc.tuple(fc.integer({ min: -1, max: 40 }), times), { maxLength: 4 }),
  })
  .map(({ clocks, now, week: weekly, exceptions }) => {
    const today = dayOfWall(wallTimeAt(clocks, now));
    const dated = new Map(exceptions.map(([ahead, each]) => [today + ahead, each]));
    const texts = weekOpeningSettings(...weekly.map((each) => (each === undefined ? undefined : textOf(each))));
    const days = [...dated].map(([day, each]) => [dateText(day), each === undefined ? '?' : textOf(each)] as const);
    return {
      clocks,
      now,
      hours: (day) => (dated.has(day) ? dated.get(day) : weekly[weekdayOf(day) - 1]),
      schedule: scheduleOf(texts, Object.fromEntries(days)),
    };
  });

const [isOpen, isClosed, isUnknown] = [1, 0, 2];

/** The status in every minute of 60 days, from two days before `now`. */
function markMinutes({ clocks, now, hours }: GeneratedSchedule): (minute: number) => number {
  const today = dayOfWall(wallTimeAt(clocks, now));
  const days = Array.from({ length: 62 }, (_, index) => today - 2 + index);
  const first = instantAt(clocks, wallOfDay(days[0]!));
  const marks = new Uint8Array(64 * 1440);
  const mark = (from: number, to: number, status: number): void => {
    if (to > from) marks.fill(status, from - first, to - first);
  };
  const begins = (day: number): number => instantAt(clocks, wallOfDay(day));
  for (const day of days) mark(begins(day), begins(day + 1), hours(day) === undefined ? isUnknown : isClosed);
  const intervals = days.flatMap((day) =>
    (hours(day) ?? []).map(([from, to]) => ({
      from: wallOfDay(day) + from,
      to: wallOfDay(day) + to + (to <= from ? 1440 : 0),
    })),
  );
  for (const { from, to } of joinOnTheClock(intervals)) mark(instantAt(clocks, from), instantAt(clocks, to), isOpen);
  return (minute) => marks[minute - first]!;
}

type WallInterval = { from: number; to: number };

/** Joins intervals that leave no gap between them on the clock on the wall. */
function joinOnTheClock(intervals: readonly WallInterval[]): WallInterval[] {
  const joined: WallInterval[] = [];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

function expected(world: GeneratedSchedule): { status: boolean | null; change: { at: number; opens: boolean } | null } {
  const at = markMinutes(world);
  const statusOf = (mark: number): boolean | null => (mark === isUnknown ? null : mark === isOpen);
  const now = at(world.now);
  let minute = world.now;
  while (minute < world.now + 58 * 1440 && at(minute) === now) minute += 1;
  const then = at(minute);
  const changes = now !== isUnknown && then !== now && then !== isUnknown;
  const change = changes ? { at: toMs2000(minute * 60_000), opens: then === isOpen } : null;
  return { status: statusOf(now), change };
}

test('[hours.03, hours.04, hours.08] status and next change agree with an oracle that marks every minute by the offsets of zdump', () => {
  fc.assert(
    fc.property(anySchedule, fc.integer({ min: 0, max: 59_999 }), (world, ms) => {
      const { zone } = world.clocks;
      const now = toMs2000(world.now * 60_000 + ms);
      const { status, change } = expected(world);
      const calendar = createLocalCalendar(zone, now);
      assert.equal(openStatusNow(world.schedule, calendar), status);
      assert.deepEqual(findNextStatusChange(world.schedule, calendar), change);
    }),
    { numRuns: 2000 },
  );
});
