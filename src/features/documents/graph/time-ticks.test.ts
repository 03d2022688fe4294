// Checks ticks at round local times against an oracle that tries every minute.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMs2000, toMs2000 } from '../../../lib/time/ms2000.ts';
import { splitAtClockChanges } from '../rules/local-times.ts';
import { chooseTimeStep, findDayStarts, findTimeTicks } from './time-ticks.ts';

const at = (utc: string): number => toMs2000(Date.parse(utc));
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** The local date and the minutes since midnight, by Intl.DateTimeFormat. */
function createWallClock(timeZone: string): (ms2000: number) => { date: string; minutes: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (ms2000) => {
    const [date = '', time = ''] = format.format(fromMs2000(ms2000)).split(', ');
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return { date, minutes: hours * 60 + minutes };
  };
}

/** Near a clock change of each zone. Lord Howe's clocks change by half an hour, Cairo's at midnight. */
const nights: readonly [zone: string, change: string][] = [
  ['Europe/Copenhagen', '2026-03-29T01:00:00Z'],
  ['Europe/Copenhagen', '2026-10-25T01:00:00Z'],
  ['America/St_Johns', '2026-11-01T04:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['Atlantic/Reykjavik', '2026-03-29T01:00:00Z'],
];

test('there is one tick at each round local time, none if it is skipped, and two if it occurs twice', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...nights),
      fc.integer({ min: -12 * 60, max: 0 }),
      fc.integer({ min: 1, max: 30 * 60 }),
      fc.constantFrom(5, 10, 15, 30, 60, 120, 180, 360, 720),
      ([zone, change], fromMinute, minutes, step) => {
        const from = at(change) + fromMinute * minuteMs;
        const through = from + minutes * minuteMs;
        const clock = createWallClock(zone);
        const ticks = findTimeTicks(splitAtClockChanges(from, through, zone), step * minuteMs);
        const expected = [];
        for (let ms2000 = from; ms2000 <= through; ms2000 += minuteMs)
          if (clock(ms2000).minutes % step === 0) expected.push(ms2000);
        assert.deepEqual(
          ticks.map(({ ms2000 }) => ms2000),
          expected,
        );
        for (const { ms2000, localMs } of ticks) assert.deepEqual(createWallClock('UTC')(localMs), clock(ms2000));
      },
    ),
  );
});

test('a day starts at the first instant of its date, also where clocks skip midnight', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...nights),
      fc.integer({ min: -40, max: 0 }),
      fc.integer({ min: 1, max: 80 }),
      ([zone, change], fromHour, hours) => {
        const from = at(change) + fromHour * hourMs + 7 * minuteMs;
        const through = from + hours * hourMs;
        const clock = createWallClock(zone);
        const starts: number[] = [];
        const seen = new Set([clock(from).date]);
        // All of these clock changes, and so all starts of days, are at whole quarters of an hour.
        for (
          let ms2000 = Math.ceil(from / (15 * minuteMs)) * 15 * minuteMs;
          ms2000 <= through;
          ms2000 += 15 * minuteMs
        ) {
          const { date } = clock(ms2000);
          if (!seen.has(date)) starts.push(ms2000);
          seen.add(date);
        }
        assert.deepEqual(
          findDayStarts(splitAtClockChanges(from, through, zone)).map(({ ms2000 }) => ms2000),
          starts,
        );
      },
    ),
  );
});

test('weekly ticks are on Mondays', () => {
  const [from, through] = [at('2026-01-01T00:00:00Z'), at('2026-03-01T00:00:00Z')];
  const ticks = findTimeTicks(splitAtClockChanges(from, through, 'UTC'), 7 * dayMs);
  assert.deepEqual(
    [ticks.length, ...new Set(ticks.map(({ ms2000 }) => new Date(fromMs2000(ms2000)).getUTCDay()))],
    [8, 1],
  );
});

test('the wider the drawing, the smaller the step; and labels always have room', () => {
  const table: [durationMs: number, width: number, ms: number][] = [
    [hourMs, 400, 10 * minuteMs],
    [hourMs, 1100, 5 * minuteMs],
    [hourMs, 2300, 2 * minuteMs],
    [10_000, 1100, 1000],
    [dayMs, 400, 6 * hourMs],
    [31 * dayMs, 400, 7 * dayMs],
    [31 * dayMs, 1100, 7 * dayMs],
    [31 * dayMs, 2300, 2 * dayMs],
  ];
  for (const [durationMs, width, ms] of table)
    assert.equal(chooseTimeStep(durationMs, width).ms, ms, `${durationMs} ${width}`);
  fc.assert(
    fc.property(
      fc.integer({ min: 2000, max: 31 * dayMs }),
      fc.integer({ min: 350, max: 2350 }),
      (durationMs, width) => {
        const { ms, shows } = chooseTimeStep(durationMs, width);
        assert.ok((ms / durationMs) * width >= (shows === 'seconds' ? 80 : 60));
      },
    ),
  );
});
