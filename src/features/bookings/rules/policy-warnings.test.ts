// Checks the warnings about policies.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoBookingPolicy } from '../../../../demo/bookings/booking-policies.ts';
import { builtInTenants } from '../../../tenants.ts';
import { unitTypes } from '../../places/rules/unit-types.ts';
import { listInvalidSettings, parsePolicy } from './policy.ts';
import { listPossibleStarts } from './possible-starts.ts';
import { warningCodes, listPolicyWarnings, type PolicyWarning } from './policy-warnings.ts';

type Values = Readonly<Record<string, string>>;
const listWarningsOf = (values: Values): PolicyWarning[] => {
  const given = new Map(Object.entries({ Bookable: 'true', BookingCalendar: 'Laundry', ...values }));
  return listPolicyWarnings(parsePolicy(given), listInvalidSettings(given));
};
const codes = (values: Values): string =>
  listWarningsOf(values)
    .map(({ code }) => code)
    .join(', ');

const hours = { BookingFrom: '07:00', BookingThrough: '22:00' };
const priced = { BookingPrice: '1000', BookingRefund: '50' };

test('[rules.04] each problem of a configuration has its own warning, and a sound configuration has none', () => {
  const table: [values: Values, expected: string][] = [
    [{}, ''],
    // A calendar, and a tag.
    [{ BookingCalendar: '' }, 'missing-calendar'],
    [{ BookingCalendar: ' ' }, 'missing-calendar'],
    [{ BookingFor: 'Tag' }, 'missing-tag'],
    [{ BookingFor: 'Tag', BookingTag: '' }, 'missing-tag'],
    [{ BookingFor: 'Tag', BookingTag: 'party' }, ''],
    [{ BookingFor: 'Location', BookingTag: 'party' }, 'unused-tag'],
    [{ BookingTag: 'party' }, 'unused-tag'],
    // Hours with only one bound.
    [{ BookingFrom: '07:00' }, 'incomplete-hours'],
    [{ BookingThrough: '22:00' }, 'incomplete-hours'],
    [{ BookingQuietFrom: '22:00' }, 'incomplete-quiet-hours'],
    [{ BookingQuietThrough: '22:00', BookingFrom: '07:00' }, 'incomplete-hours, incomplete-quiet-hours'],
    [hours, ''],
    // Lengths.
    [{ BookingMinLength: '60', BookingMaxLength: '60' }, ''],
    [{ BookingMinLength: '65', BookingMaxLength: '60' }, 'contradictory-lengths'],
    [{ ...hours, BookingMinLength: '900' }, ''],
    [{ ...hours, BookingMinLength: '905' }, 'unreachable-length'],
    [{ ...hours, BookingMaxLength: '20160' }, ''],
    [{ BookingFrom: '22:00', BookingThrough: '07:00', BookingMinLength: '540' }, ''],
    [{ BookingFrom: '22:00', BookingThrough: '07:00', BookingMinLength: '545' }, 'unreachable-length'],
    [{ BookingFrom: '00:00', BookingThrough: '24:00', BookingMinLength: '1440' }, ''],
    [{ BookingFrom: '07:00', BookingThrough: '07:00', BookingMinLength: '1440' }, ''],
    // The last start.
    [{ ...hours, BookingLastStart: '07:00' }, ''],
    [{ ...hours, BookingLastStart: '06:59' }, 'unreachable-last-start'],
    [{ ...hours, BookingLastStart: '21:55' }, ''],
    [{ ...hours, BookingLastStart: '22:00' }, 'contradictory-last-start'],
    [{ ...hours, BookingMinLength: '60', BookingLastStart: '21:00' }, ''],
    [{ ...hours, BookingMinLength: '60', BookingLastStart: '21:01' }, 'contradictory-last-start'],
    [{ BookingFrom: '07:00', BookingThrough: '24:00', BookingMinLength: '120', BookingLastStart: '22:00' }, ''],
    [{ BookingFrom: '14:00', BookingThrough: '02:00', BookingLastStart: '01:00' }, ''],
    [{ BookingFrom: '14:00', BookingThrough: '02:00', BookingLastStart: '03:00' }, 'unreachable-last-start'],
    [{ BookingFrom: '20:00', BookingThrough: '02:00', BookingLastStart: '02:00' }, 'contradictory-last-start'],
    [{ BookingFrom: '20:00', BookingThrough: '02:00', BookingLastStart: '01:55' }, ''],
    [{ BookingFrom: '07:00', BookingThrough: '24:00', BookingLastStart: '00:00' }, 'contradictory-last-start'],
    [{ BookingLastStart: '22:00' }, ''],
    // If not even the shortest booking fits, there is no warning about the last start.
    [{ ...hours, BookingMinLength: '905', BookingLastStart: '07:00' }, 'unreachable-length'],
    // Quiet hours.
    [{ ...hours, BookingQuietFrom: '22:00', BookingQuietThrough: '07:00' }, ''],
    [{ ...hours, BookingQuietFrom: '06:00', BookingQuietThrough: '23:00' }, 'unreachable-quiet-hours'],
    [{ BookingQuietFrom: '00:00', BookingQuietThrough: '24:00' }, 'unreachable-quiet-hours'],
    [{ BookingQuietFrom: '22:00', BookingQuietThrough: '07:00', BookingMinLength: '900' }, ''],
    [{ BookingQuietFrom: '22:00', BookingQuietThrough: '07:00', BookingMinLength: '905' }, 'unreachable-quiet-hours'],
    // Steps.
    [{ ...hours, BookingStep: '1440' }, ''],
    [{ ...hours, BookingStep: '1440', BookingQuietFrom: '06:00', BookingQuietThrough: '08:00' }, 'unreachable-step'],
    [{ ...hours, BookingFrom: '07:03', BookingStep: '30' }, 'unreachable-step'],
    [{ ...hours, BookingFrom: '07:03' }, ''],
    // Horizon and notice. On the last day of the horizon the latest start is 23:55, or the last one of the hours.
    [{ BookingHorizon: '2', BookingNotice: '4315' }, ''],
    [{ BookingHorizon: '2', BookingNotice: '4316' }, 'unreachable-notice'],
    [{ ...hours, BookingHorizon: '2', BookingNotice: '4195' }, ''],
    [{ ...hours, BookingHorizon: '2', BookingNotice: '4196' }, 'unreachable-notice'],
    [{ BookingFrom: '14:00', BookingThrough: '02:00', BookingHorizon: '0', BookingNotice: '1435' }, ''],
    [{ BookingHorizon: '0', BookingNotice: '1436' }, 'unreachable-notice'],
    [{ BookingNotice: '20160' }, ''],
    [{ BookingHorizon: '2', BookingCancelDeadline: '4315' }, ''],
    [{ BookingHorizon: '2', BookingCancelDeadline: '4316' }, 'unreachable-cancellation'],
    [{ BookingCancelDeadline: '20160' }, ''],
    // Limits. A limit that another one makes ineffective is harmless, except the limit of upcoming bookings.
    [{ BookingMaxPerDay: '9', BookingMaxPerWeek: '2', BookingMaxPerMonth: '1' }, ''],
    [{ BookingMaxOpen: '500' }, ''],
    [{ BookingMaxOpen: '500', BookingMaxPerDay: '1' }, ''],
    [{ BookingHorizon: '1', BookingMaxOpen: '500' }, ''],
    [{ BookingHorizon: '1', BookingMaxOpen: '4', BookingMaxPerDay: '2' }, ''],
    [{ BookingHorizon: '1', BookingMaxOpen: '5', BookingMaxPerDay: '2' }, 'contradictory-max-open'],
    [{ BookingHorizon: '0', BookingMaxOpen: '2', BookingMaxPerMonth: '1' }, 'contradictory-max-open'],
    [{ BookingHorizon: '7', BookingMaxOpen: '2', BookingMaxPerWeek: '1' }, ''],
    [{ BookingHorizon: '7', BookingMaxOpen: '3', BookingMaxPerWeek: '1' }, 'contradictory-max-open'],
    [{ BookingHorizon: '30', BookingMaxOpen: '2', BookingMaxPerMonth: '5' }, ''],
    // A hold that is longer than the booking can be.
    [{ BookingHold: '15', BookingMaxLength: '20' }, ''],
    [{ BookingHold: '20', BookingMaxLength: '20' }, 'contradictory-hold'],
    [{ BookingHold: '1440' }, ''],
    // Money.
    [{ BookingCancelFee: '0' }, ''],
    [{ BookingCancelFee: '1' }, 'fee-without-price'],
    [{ BookingCancelFee: '1', BookingPrice: '0' }, 'fee-without-price'],
    [{ ...priced, BookingCancelFee: '500' }, ''],
    [{ ...priced, BookingCancelFee: '501' }, 'fee-above-refund'],
    [{ ...priced, BookingCancelFee: '1000' }, 'fee-above-refund'],
    [{ ...priced, BookingCancelFee: '1001' }, 'fee-above-price'],
    [{ BookingPrice: '9223372036854775806', BookingCancelFee: '9223372036854775807' }, 'fee-above-price'],
    [{ BookingPrice: '9223372036854775807', BookingCancelFee: '9223372036854775807' }, ''],
    [{ BookingNoShowFee: '5000' }, ''],
    // Invalid stored values.
    [{ BookingStep: '7', BookingPrice: 'free' }, 'invalid-value, invalid-value'],
    [{ Bookable: 'yes' }, 'invalid-value'],
    // Several at once, in the order of the codes.
    [
      { BookingCalendar: '', BookingFor: 'Tag', BookingFrom: 'x', BookingThrough: '07:00', BookingCancelFee: '1' },
      'invalid-value, missing-calendar, missing-tag, incomplete-hours, fee-without-price',
    ],
  ];
  for (const [values, expected] of table) assert.equal(codes(values), expected, JSON.stringify(values));
  const seen = new Set(table.flatMap(([values]) => listWarningsOf(values).map(({ code }) => code)));
  assert.deepEqual([...seen].toSorted(), [...warningCodes].toSorted());
});

test('[rules.04] a warning has the values of its text', () => {
  const [lengths] = listWarningsOf({ BookingMinLength: '90', BookingMaxLength: '60' });
  assert.deepEqual(lengths?.textValues, { min: { minutes: 90 }, max: { minutes: 60 } });
  const [open] = listWarningsOf({ BookingHorizon: '1', BookingMaxOpen: '5', BookingMaxPerDay: '2' });
  assert.deepEqual(open?.textValues, { count: 5, most: 4 });
  const settings = listWarningsOf({ BookingStep: '7', BookingPrice: 'free' });
  assert.deepEqual(
    settings.map(({ textValues }) => textValues['setting']),
    [{ settingName: 'BookingStep' }, { settingName: 'BookingPrice' }],
  );
});

test('the policies of the demo data have no warnings, in any currency', () => {
  for (const { currency } of builtInTenants) {
    for (const type of unitTypes) {
      const given = demoBookingPolicy(type, currency);
      if (given.size === 0) continue;
      assert.deepEqual(listPolicyWarnings(parsePolicy(given), listInvalidSettings(given)), [], `${type} ${currency}`);
      assert.ok('starts' in listPossibleStarts(parsePolicy(given)), type);
    }
  }
});

/** The most weeks or months that so many consecutive days can touch, whatever day they begin on. */
function maxTouchedByBruteForce(days: number, partOf: (day: Temporal.PlainDate) => string): number {
  const first = Temporal.PlainDate.from('2026-01-01');
  const parts = Array.from({ length: 800 + days }, (_, index) => partOf(first.add({ days: index })));
  const counts = Array.from({ length: 800 }, (_, from) => new Set(parts.slice(from, from + days)).size);
  return Math.max(...counts);
}

test('[rules.04] a limit of upcoming bookings is contradictory exactly if it exceeds what the other limits allow', () => {
  const limits = fc.constantFrom(
    ['BookingMaxPerDay', (day: Temporal.PlainDate) => day.toString()] as const,
    ['BookingMaxPerWeek', (day: Temporal.PlainDate) => `${day.yearOfWeek}-${day.weekOfYear}`] as const,
    ['BookingMaxPerMonth', (day: Temporal.PlainDate) => `${day.year}-${day.month}`] as const,
  );
  fc.assert(
    fc.property(
      limits,
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 3 }),
      ([name, partOf], horizon, limit) => {
        const most = limit * maxTouchedByBruteForce(horizon + 1, partOf);
        const values = { BookingHorizon: String(horizon), [name]: String(limit) };
        assert.equal(codes({ ...values, BookingMaxOpen: String(most) }), '');
        assert.equal(codes({ ...values, BookingMaxOpen: String(most + 1) }), 'contradictory-max-open');
      },
    ),
    { numRuns: 60 },
  );
});
