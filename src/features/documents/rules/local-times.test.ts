// Checks periods, offsets and durations in words, also across clock changes.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMs2000, toMs2000 } from '../../../lib/time/ms2000.ts';
import { formatDuration, formatPeriod, formatZone, splitAtClockChanges } from './local-times.ts';
import { hourMs } from '../../../lib/time/durations.ts';

const at = (utc: string): number => toMs2000(Date.parse(utc));

const zones = [
  'Europe/Copenhagen',
  'Europe/London',
  'Atlantic/Reykjavik',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
];

test('an interval is divided at clock changes, and each part has the offset of all its instants', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
      fc.nat(400 * 24),
      (zone, from, hours) => {
        const through = from + hours * hourMs;
        const parts = splitAtClockChanges(from, through, zone);
        assert.deepEqual([parts[0]?.fromMs2000, parts.at(-1)?.throughMs2000], [from, through]);
        for (const [index, part] of parts.entries()) {
          if (index > 0) assert.equal(part.fromMs2000, (parts[index - 1]?.throughMs2000 ?? 0) + 1);
          for (const instant of [part.fromMs2000, part.throughMs2000])
            assert.equal(offsetMsOf(instant, zone), part.offsetMs, zone);
        }
      },
    ),
  );
});

/** The offset by Intl.DateTimeFormat: local time minus UTC. */
function offsetMsOf(ms2000: number, timeZone: string): number {
  const instant = fromMs2000(ms2000);
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(instant);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

test('a period is formatted in local time, with a second date only if it differs', () => {
  const table: [from: string, through: string, zone: string, text: string][] = [
    ['2026-11-21T13:03:12Z', '2026-11-21T14:18:00.900Z', 'Europe/Copenhagen', 'Sat 21 Nov 2026, 14:03:12 – 15:18:00'],
    [
      '2026-11-21T22:59:00Z',
      '2026-11-21T23:00:00Z',
      'Europe/Copenhagen',
      'Sat 21 Nov 2026, 23:59:00 – Sun 22 Nov 2026, 00:00:00',
    ],
    [
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
      'Europe/Copenhagen',
      'Sun 25 Oct 2026, 02:30:00 – Sun 25 Oct 2026, 02:30:00',
    ],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'America/St_Johns', 'Wed 31 Dec 2025, 20:30:00 – 20:30:00'],
  ];
  for (const [from, through, zone, text] of table) assert.equal(formatPeriod(at(from), at(through), zone), text);
});

test('a zone is formatted with its offsets', () => {
  const table: [from: string, through: string, zone: string, text: string][] = [
    ['2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 'Europe/Copenhagen', 'Europe/Copenhagen, UTC+2'],
    ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'Europe/Copenhagen', 'Europe/Copenhagen, UTC+2 then UTC+1'],
    ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'America/St_Johns', 'America/St_Johns, UTC−3:30'],
    ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'Atlantic/Reykjavik', 'Atlantic/Reykjavik, UTC+0'],
  ];
  for (const [from, through, zone, text] of table) assert.equal(formatZone(at(from), at(through), zone), text);
});

test('a duration is formatted with its two largest units', () => {
  const table: [ms: number, text: string][] = [
    [0, '0 s'],
    [499, '0 s'],
    [59_600, '1 min'],
    [75 * 60_000, '1 h 15 min'],
    [2 * hourMs, '2 h'],
    [hourMs + 5000, '1 h'],
    [31 * 24 * hourMs, '31 d'],
    [49 * hourMs, '2 d 1 h'],
  ];
  for (const [ms, text] of table) assert.equal(formatDuration(ms), text);
});
