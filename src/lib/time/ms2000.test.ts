// MS2000 and its text, against Date's own spelling.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fromMs2000, parseOffsetTime, parseUtc, toMs2000, formatUtc } from './ms2000.ts';

const first = toMs2000(Date.parse('0000-01-01T00:00:00.000Z'));
const last = toMs2000(Date.parse('9999-12-31T23:59:59.999Z'));
const times = fc.oneof(fc.integer({ min: first, max: last }), fc.integer({ min: -1e12, max: 1.2e12 }));

test('MS2000 counts milliseconds since 2000-01-01T00:00:00Z', () => {
  assert.equal(toMs2000(Date.UTC(2000, 0, 1)), 0);
  assert.equal(toMs2000(Date.UTC(2000, 0, 1, 0, 0, 0, 1)), 1);
  assert.equal(toMs2000(0), -946_684_800_000);
  assert.equal(fromMs2000(0), Date.UTC(2000, 0, 1));
  fc.assert(fc.property(times, (ms2000) => assert.equal(toMs2000(fromMs2000(ms2000)), ms2000)));
});

test('a time is spelled as an RFC 3339 instant in UTC with milliseconds, ending in Z', () => {
  const examples: [ms2000: number, text: string][] = [
    [0, '2000-01-01T00:00:00.000Z'],
    [-1, '1999-12-31T23:59:59.999Z'],
    [5_097_599_999, '2000-02-28T23:59:59.999Z'],
    [5_097_600_000, '2000-02-29T00:00:00.000Z'],
    [764_945_999_007, '2024-03-28T12:59:59.007Z'],
    [first, '0000-01-01T00:00:00.000Z'],
    [last, '9999-12-31T23:59:59.999Z'],
    [toMs2000(Date.parse('0987-06-05T04:03:02.001Z')), '0987-06-05T04:03:02.001Z'],
  ];
  for (const [ms2000, text] of examples) {
    assert.equal(formatUtc(ms2000), text);
    assert.equal(parseUtc(text), ms2000);
  }
});

test('the text of every time is that of Date, sorts as the time does, and reads back as it was', () => {
  fc.assert(
    fc.property(times, times, (one, other) => {
      assert.equal(formatUtc(one), new Date(fromMs2000(one)).toISOString());
      assert.equal(parseUtc(formatUtc(one)), one);
      assert.equal(formatUtc(one) < formatUtc(other), one < other);
    }),
    { numRuns: 5000 },
  );
});

test('a time outside the four-digit years has no text', () => {
  for (const ms2000 of [first - 1, last + 1, Number.NaN, Infinity, -Infinity, 8.64e15, -8.64e15]) {
    assert.throws(() => formatUtc(ms2000), RangeError);
  }
});

test('decimals are optional, and those past the third are dropped', () => {
  assert.equal(parseUtc('2000-01-01T00:00:00Z'), 0);
  assert.equal(parseUtc('2000-01-01T00:00:00.5Z'), 500);
  assert.equal(parseUtc('2000-01-01T00:00:00.05Z'), 50);
  assert.equal(parseUtc('2000-01-01T00:00:00.0019999Z'), 1);
  assert.equal(parseUtc('2000-01-01T00:00:00.123456789Z'), 123);
  assert.equal(parseUtc('1999-12-31T23:59:59.9999999Z'), -1);
});

test('whatever is not an instant ending in Z is refused', () => {
  const refused = [
    ['', 'now', '0', '2000-01-01', '2000-01-01Z', '2000-01-01T00:00Z', '2000-01-01T00:00:00'],
    ['2000-01-01T00:00:00.Z'],
    ['2000-01-01T00:00:00+00:00', '2000-01-01T00:00:00-00:00', '2000-01-01T00:00:00+02:00', '2000-01-01T00:00:00ZZ'],
    ['2000-01-01t00:00:00Z', '2000-01-01T00:00:00z', '2000-01-01 00:00:00Z', '2000-01-01T00:00:00,5Z'],
    ['20000101T000000Z'],
    ['2000-1-01T00:00:00Z', '00-01-01T00:00:00Z', '12000-01-01T00:00:00Z', '+012000-01-01T00:00:00Z'],
    ['-000001-01-01T00:00:00Z'],
    // days and hours that do not exist
    ['2000-00-01T00:00:00Z', '2000-13-01T00:00:00Z', '2000-01-00T00:00:00Z', '2000-01-32T00:00:00Z'],
    ['2023-02-29T00:00:00Z'],
    ['1900-02-29T00:00:00Z', '2024-02-30T00:00:00Z', '2024-04-31T00:00:00Z', '2024-01-01T24:00:00Z'],
    ['2024-01-01T24:00:00.001Z'],
    ['2024-01-01T00:60:00Z', '2024-01-01T00:00:60Z', '2016-12-31T23:59:60Z', '2024-01-01T25:00:00Z'],
    [' 2000-01-01T00:00:00Z', '2000-01-01T00:00:00Z\n', '２000-01-01T00:00:00Z', '2000-01-01T00:00:00.0000000000Z'],
    [`2000-01-01T00:00:00.${'0'.repeat(1_000_000)}Z`],
  ].flat();
  for (const text of refused) assert.equal(parseUtc(text), undefined, JSON.stringify(text.slice(0, 60)));
  fc.assert(
    fc.property(times, fc.nat({ max: 23 }), fc.constantFrom('', '0', '9', '-', ':', 'Z', ' '), (time, at, put) => {
      const text = formatUtc(time);
      const mutated = text.slice(0, at) + put + text.slice(at + 1);
      const read = parseUtc(mutated);
      if (read !== undefined) assert.equal(Date.parse(mutated), fromMs2000(read));
    }),
    { numRuns: 2000 },
  );
});

test('a time with an offset is what Temporal reads, in UTC too', () => {
  const two = (least: number, greatest: number) =>
    fc.integer({ min: least, max: greatest }).map((number) => String(number).padStart(2, '0'));
  const texts = fc
    .tuple(
      fc.constantFrom('0000', '0001', '0099', '1900', '2000', '2024', '2026', '9998', '9999'),
      two(0, 13),
      two(0, 32),
      two(0, 25),
      two(0, 60),
      two(0, 59),
      fc.constantFrom('', '.5', '.123', '.1239', '.999999999'),
      fc.constantFrom('Z', 'Z', '+00:00', '-23:59', '+0200'),
    )
    .map(([y, m, d, h, min, s, fraction, zone]) => `${y}-${m}-${d}T${h}:${min}:${s}${fraction}${zone}`);
  fc.assert(
    fc.property(texts, (text) => assert.equal(parseOffsetTime(text), readWithTemporal(text), text)),
    { numRuns: 5000 },
  );
});

function readWithTemporal(text: string): number | undefined {
  try {
    const instant = Temporal.Instant.from(text);
    const year = instant.toZonedDateTimeISO('UTC').year;
    return year < 1 || year > 9998 ? undefined : toMs2000(instant.epochMilliseconds);
  } catch {
    return undefined;
  }
}
