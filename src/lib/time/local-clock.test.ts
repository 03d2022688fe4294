// Days and clock times of local clocks, against Temporal, which computes every instant anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fromMs2000, parseUtc, toMs2000 } from './ms2000.ts';
import { LocalClock } from './local-clock.ts';
import { hourMs } from './durations.ts';

const zones = [
  'Europe/Copenhagen',
  'Europe/London',
  'Atlantic/Reykjavik',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC',
];
const ms = (text: string): number => toMs2000(Date.parse(text));
const zoned = (zone: string, ms2000: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(fromMs2000(ms2000)).toZonedDateTimeISO(zone);

function assertShown(zone: string, clock: LocalClock, ms2000: number): void {
  const there = zoned(zone, ms2000);
  const told = `${zone} at ${there.toString()}`;
  assert.equal(clock.formatDate(clock.getLocalDay(ms2000)), there.toPlainDate().toString(), told);
  const text = clock.formatTime(ms2000);
  assert.equal(toMs2000(Temporal.Instant.from(text).epochMilliseconds), ms2000, told);
  if (there.offsetNanoseconds % 60e9 === 0)
    assert.equal(text, there.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 }), told);
}

test('[receipts.11, receipts.13] days and clock times are those of Temporal, in any order of instants', () => {
  const recent = fc.integer({ min: ms('2015-01-01T00:00:00Z'), max: ms('2035-01-01T00:00:00Z') });
  const any = fc.integer({ min: ms('0001-01-01T00:00:00Z'), max: ms('9999-12-30T00:00:00Z') });
  const instants = fc.array(fc.oneof({ weight: 4, arbitrary: recent }, { weight: 1, arbitrary: any }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, times) => {
      const clock = new LocalClock(zone);
      for (const time of times) assertShown(zone, clock, time);
      for (const time of times.toSorted((a, b) => b - a)) assertShown(zone, clock, time);
    }),
  );
});

test('[receipts.11, receipts.13] every hour around each change of the clocks since 1970 is exact', () => {
  for (const zone of zones) {
    const clock = new LocalClock(zone);
    let change = zoned(zone, ms('2030-01-01T00:00:00Z')).getTimeZoneTransition('previous');
    while (change !== null && change.epochMilliseconds > 0) {
      const at = toMs2000(change.epochMilliseconds);
      for (const off of [-25, -24, -2, -1, 0, 1, 2, 24]) {
        for (const slip of [-1, 0, 1]) assertShown(zone, clock, at + off * hourMs + slip);
      }
      change = change.getTimeZoneTransition('previous');
    }
  }
});

test('[receipts.13] the hour that comes twice in Copenhagen differs only in its offset', () => {
  const clock = new LocalClock('Europe/Copenhagen');
  assert.equal(clock.formatTime(ms('2026-10-25T00:15:00Z')), '2026-10-25T02:15:00.000+02:00');
  assert.equal(clock.formatTime(ms('2026-10-25T01:15:00Z')), '2026-10-25T02:15:00.000+01:00');
  assert.equal(clock.formatTime(ms('2026-03-29T00:59:59.999Z')), '2026-03-29T01:59:59.999+01:00');
  assert.equal(clock.formatTime(ms('2026-03-29T01:15:00Z')), '2026-03-29T03:15:00.000+02:00');
  assert.equal(
    new LocalClock('America/St_Johns').formatTime(ms('2026-01-01T00:00:00Z')),
    '2025-12-31T20:30:00.000-03:30',
  );
});

test('long ago, when clocks were ahead by odd seconds, the instant is exact and the day is the clock’s', () => {
  const clock = new LocalClock('Europe/Copenhagen');
  const midnight = ms('1582-10-10T23:06:32Z');
  assert.equal(
    clock.formatDate(clock.getLocalDay(midnight)),
    zoned('Europe/Copenhagen', midnight).toPlainDate().toString(),
  );
  for (const time of [midnight - 1, midnight, midnight + 1])
    assert.equal(Date.parse(clock.formatTime(time)), fromMs2000(time));
});

test('a local time outside the years that RFC 3339 has is given in UTC', () => {
  const last = ms('9999-12-31T23:30:00Z');
  const east = new LocalClock('Europe/Copenhagen');
  assert.deepEqual(
    [east.formatDate(east.getLocalDay(last)), east.formatTime(last)],
    ['9999-12-31', '9999-12-31T23:30:00.000+00:00'],
  );
  const first = parseUtc('0000-01-01T00:00:00Z') ?? 0;
  const west = new LocalClock('America/St_Johns');
  assert.deepEqual(
    [west.formatDate(west.getLocalDay(first)), west.formatTime(first)],
    ['0000-01-01', '0000-01-01T00:00:00.000+00:00'],
  );
});
