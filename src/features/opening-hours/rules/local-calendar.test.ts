// Compares every minute of a calendar's days with the instant that Temporal gives.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMs2000, toMs2000 } from '../../../lib/time/ms2000.ts';
import { createLocalCalendar } from './local-calendar.ts';

// Zones whose clocks go forward at one, at midnight, by half an hour, or by two hours; that skipped a day; whose clocks
// change at odd times of the year, or never.
const zones = [
  'Europe/Copenhagen',
  'Europe/London',
  'Asia/Beirut',
  'America/Havana',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Atlantic/Reykjavik',
  'Etc/GMT+12',
];
const instantOf = (date: Temporal.PlainDate, minutes: number, zone: string): number => {
  const wall = date.toPlainDateTime().add({ minutes });
  return toMs2000(wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds);
};
const daysBetween = (from: string, to: string) =>
  fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true });

test('[hours.04] every minute of every day is the instant of its local time, also around clock changes', () => {
  const instants = fc.oneof(
    daysBetween('1999-01-01', '2036-12-31'),
    daysBetween('2011-12-20', '2012-01-02'),
    daysBetween('2026-03-20', '2026-04-05'),
  );
  const steps = fc.array(fc.integer({ min: -1, max: 45 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, steps, fc.nat(6), (zone, instant, ahead, offset) => {
      const now = toMs2000(instant.getTime());
      const calendar = createLocalCalendar(zone, now);
      const today = Temporal.Instant.fromEpochMilliseconds(fromMs2000(now)).toZonedDateTimeISO(zone).toPlainDate();
      for (const each of ahead) {
        const date = today.add({ days: each });
        const day = calendar.dayAt(each);
        assert.deepEqual([day.name, day.weekday], [date.toString(), date.dayOfWeek]);
        assert.equal(calendar.daysUntil(day.name), each);
        assert.equal(day.startsAt, instantOf(date, 0, zone));
        for (let minutes = offset; minutes < 1440; minutes += 7)
          assert.equal(day.instantOf(minutes), instantOf(date, minutes, zone), `${zone} ${day.name} ${minutes}`);
      }
    }),
    { numRuns: 150 },
  );
});
