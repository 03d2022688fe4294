// Checks the local times of an export against those of Temporal.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMs2000, toMs2000, formatUtc } from '../../../lib/time/ms2000.ts';
import { createLocalTimeFormatter, createUtcTimeFormatter } from './export-time.ts';

const zones = ['Europe/Copenhagen', 'Europe/London', 'Atlantic/Reykjavik', 'Asia/Kathmandu', 'America/St_Johns'];
const ms2000 = (text: string): number => toMs2000(Date.parse(text));

test('[account.57] a local time has its offset, before, at and after a clock change', () => {
  const localTime = createLocalTimeFormatter('Europe/Copenhagen');
  for (const [utc, local] of [
    ['2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00.000+01:00'],
    ['2026-10-25T00:59:59.999Z', '2026-10-25T02:59:59.999+02:00'],
    ['2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00.000+02:00'],
    ['2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59.999+01:00'],
    ['2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00.000+01:00'],
  ] as const)
    assert.equal(localTime(ms2000(utc)), local);
});

test('[account.57] a local time equals that of Temporal, in any zone and order', () => {
  const years = { min: ms2000('1800-01-02T00:00:00Z'), max: ms2000('2100-01-01T00:00:00Z') };
  const instants = fc.array(
    fc.oneof(
      fc.integer(years),
      fc.integer({ min: 0, max: 240_000 }).map((hours) => hours * 3_600_000),
    ),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, times) => {
      const localTime = createLocalTimeFormatter(zone);
      for (const time of times) {
        const at = Temporal.Instant.fromEpochMilliseconds(fromMs2000(time)).toZonedDateTimeISO(zone);
        assert.equal(localTime(time), at.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' }));
      }
    }),
  );
});

test('[account.57] a time whose local year has no format is shown in UTC', () => {
  assert.equal(
    createLocalTimeFormatter('America/St_Johns')(ms2000('0000-01-01T00:00:00Z')),
    '0000-01-01T00:00:00.000Z',
  );
  assert.equal(
    createLocalTimeFormatter('Asia/Kathmandu')(ms2000('9999-12-31T23:59:59.999Z')),
    '9999-12-31T23:59:59.999Z',
  );
});

test('[account.57] a time in UTC has the usual format, whatever was formatted before it', () => {
  const years = { min: ms2000('0000-01-01T00:00:00Z'), max: ms2000('9999-12-31T23:59:59.999Z') };
  const near = fc.integer({ min: -2 * 86_400_000, max: 2 * 86_400_000 });
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer(years), near), { minLength: 1 }), (times) => {
      const utcTime = createUtcTimeFormatter();
      for (const time of times) assert.equal(utcTime(time), formatUtc(time));
    }),
  );
  assert.throws(() => createUtcTimeFormatter()(years.max + 1), RangeError);
  assert.throws(() => createUtcTimeFormatter()(Number.NaN), RangeError);
});
