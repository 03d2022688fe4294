// Checks possible starts against a table, and against an oracle that tries every minute of every booking.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePolicy, type BookingPolicy } from './policy.ts';
import { listPossibleStarts } from './possible-starts.ts';

const policy = (values: Readonly<Record<string, string>>): BookingPolicy =>
  parsePolicy(new Map(Object.entries(values)));
const hours = { BookingFrom: '07:00', BookingThrough: '22:00' };
const describeStarts = (values: Readonly<Record<string, string>>): string => {
  const found = listPossibleStarts(policy(values));
  if ('blockedBy' in found) return found.blockedBy;
  const [first, last] = [found.starts[0]!, found.starts.at(-1)!];
  return `${found.starts.length}: ${first}-${last}`;
};

/** In the order in which they are tried. */
const startConstraints = ['length', 'last-start', 'quiet-hours', 'step'] as const;

test('starts leave time for the shortest booking, and are on steps, up to the last start and outside quiet hours', () => {
  const table: [values: Readonly<Record<string, string>>, expected: string][] = [
    [{}, '288: 0-1435'],
    [{ ...hours }, '180: 420-1315'],
    [{ ...hours, BookingMinLength: '60' }, '169: 420-1260'],
    [{ ...hours, BookingMinLength: '60', BookingStep: '30' }, '29: 420-1260'],
    [{ ...hours, BookingMinLength: '900', BookingStep: '30' }, '1: 420-420'],
    [{ ...hours, BookingMinLength: '905' }, 'length'],
    [{ ...hours, BookingLastStart: '07:00' }, '1: 420-420'],
    [{ ...hours, BookingLastStart: '06:59' }, 'last-start'],
    [{ BookingLastStart: '00:00' }, '1: 0-0'],
    [{ ...hours, BookingQuietFrom: '22:00', BookingQuietThrough: '07:00' }, '180: 420-1315'],
    [{ ...hours, BookingQuietFrom: '07:00', BookingQuietThrough: '22:00' }, 'quiet-hours'],
    [{ ...hours, BookingQuietFrom: '08:00', BookingQuietThrough: '21:55', BookingMinLength: '65' }, 'quiet-hours'],
    [{ ...hours, BookingQuietFrom: '08:00', BookingQuietThrough: '08:00' }, 'quiet-hours'],
    // A step counts from the beginning of the hours, so only 07:00 is left, which is in the quiet hours.
    [{ ...hours, BookingStep: '1440', BookingQuietFrom: '07:00', BookingQuietThrough: '08:00' }, 'step'],
    // Bookings take slots of five minutes, and no step after 07:03 is the start of a slot.
    [{ ...hours, BookingFrom: '07:03' }, '179: 425-1315'],
    [{ ...hours, BookingFrom: '07:03', BookingStep: '30' }, 'step'],
    // If the hours end on the next day, an early time belongs to that day.
    [{ BookingFrom: '14:00', BookingThrough: '02:00', BookingMinLength: '60' }, '133: 840-1500'],
    [{ BookingFrom: '14:00', BookingThrough: '02:00', BookingLastStart: '01:00' }, '133: 840-1500'],
    [{ BookingFrom: '14:00', BookingThrough: '02:00', BookingLastStart: '03:00' }, 'last-start'],
    // A last start at the end of the hours excludes no start.
    [{ BookingFrom: '20:00', BookingThrough: '02:00', BookingLastStart: '02:00' }, '72: 1200-1555'],
    [{ BookingFrom: '07:00', BookingThrough: '24:00', BookingLastStart: '00:00' }, '204: 420-1435'],
    [{ BookingFrom: '20:00', BookingThrough: '02:00', BookingLastStart: '02:01' }, 'last-start'],
    [{ BookingFrom: '00:00', BookingThrough: '24:00', BookingLastStart: '00:00' }, '1: 0-0'],
    [{ BookingFrom: '15:00', BookingThrough: '11:00', BookingMinLength: '1200', BookingStep: '1440' }, '1: 900-900'],
    // Hours with only one bound do not count.
    [{ BookingFrom: '07:00' }, '288: 0-1435'],
    [{ BookingThrough: '07:00' }, '288: 0-1435'],
  ];
  for (const [values, expected] of table) assert.equal(describeStarts(values), expected, JSON.stringify(values));
});

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
const time = fc.oneof(
  fc.integer({ min: 0, max: 47 }).map((half) => clock(half * 30)),
  fc.integer({ min: 0, max: 1439 }).map(clock),
);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const pair = maybe(fc.tuple(time, fc.oneof(time, fc.constant('24:00'))));
const anyFiveMinuteTime = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: most }).map((each) => String(each * 5));

type GeneratedPolicy = {
  hours: [string, string] | undefined;
  quiet: [string, string] | undefined;
  last: string | undefined;
  step: string | undefined;
  length: string | undefined;
};
const anyPolicy: fc.Arbitrary<GeneratedPolicy> = fc.record({
  hours: pair,
  quiet: pair,
  last: maybe(time),
  step: maybe(anyFiveMinuteTime(288)),
  length: maybe(anyFiveMinuteTime(300)),
});

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Four days of minutes, marked between these times of every day. */
function daily([from, through]: [string, string]): Uint8Array {
  const marks = new Uint8Array(4 * 1440);
  for (let day = -1; day < 4; day += 1) {
    const begin = day * 1440 + minutesOf(from);
    const length = (minutesOf(through) - minutesOf(from) + 1440) % 1440 || 1440;
    for (let minute = begin; minute < begin + length; minute += 1) if (minute >= 0) marks[minute] = 1;
  }
  return marks;
}

/** When a clock first shows the time, from the beginning of the hours to their end; if never, the day's own minute. */
function lastMinute(last: string, from: number, open: number): number {
  for (let minute = from; minute <= from + Math.min(open, 1440); minute += 1)
    if (clock(minute % 1440) === last) return minute;
  return minutesOf(last);
}

/** The starts that are left after the first `narrowed` restrictions. */
function listStartsByMinute({ hours: within, quiet, last, step, length }: GeneratedPolicy, narrowed: number): number[] {
  const from = minutesOf(within?.[0] ?? '00:00');
  const open = within === undefined ? Number.POSITIVE_INFINITY : (minutesOf(within[1]) - from + 1440) % 1440 || 1440;
  const silent = quiet && daily(quiet);
  const needed = length === undefined ? 5 : Number(length);
  const latest = last === undefined ? Number.POSITIVE_INFINITY : lastMinute(last, from, open);
  const fits: ((start: number) => boolean)[] = [
    (start) => start - from + needed <= open,
    (start) => start <= latest,
    (start) => silent === undefined || !silent.subarray(start, start + needed).includes(1),
    (start) => step === undefined || (start - from) % Number(step) === 0,
  ];
  const starts = [];
  for (let start = from; start < from + 1440; start += 1)
    if (start % 5 === 0 && fits.slice(0, narrowed).every((fit) => fit(start))) starts.push(start);
  return starts;
}

test('starts equal those of an oracle that checks every minute', () => {
  fc.assert(
    fc.property(anyPolicy, (values) => {
      const { hours: within, quiet, last, step, length } = values;
      const given: Record<string, string | undefined> = {
        BookingFrom: within?.[0],
        BookingThrough: within?.[1],
        BookingQuietFrom: quiet?.[0],
        BookingQuietThrough: quiet?.[1],
        BookingLastStart: last,
        BookingStep: step,
        BookingMinLength: length,
      };
      const entries = Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );
      const found = listPossibleStarts(parsePolicy(new Map(entries)));
      const blockedBy = startConstraints.find((_, index) => listStartsByMinute(values, index + 1).length === 0);
      if (blockedBy === undefined)
        assert.deepEqual(found, { starts: listStartsByMinute(values, startConstraints.length) });
      else assert.deepEqual(found, { blockedBy });
    }),
    { numRuns: 300 },
  );
});
