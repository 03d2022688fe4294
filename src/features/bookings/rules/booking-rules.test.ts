// Checks the booking rules by code, and the groups of units with equal rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingSettings } from '../../units/catalogue/booking-settings.ts';
import { groupByPolicy } from './policy-groups.ts';
import { listBookingRules, ruleCodes, type RuleValue } from './booking-rules.ts';
import { parsePolicy } from './policy.ts';

type Values = Readonly<Record<string, string>>;
const rules = (values: Values) => listBookingRules(parsePolicy(new Map(Object.entries(values))));

test('[rules.01, rules.02] only configured rules are listed, with a stable code, a value and the key of a text', () => {
  const hours = { BookingFrom: '07:00', BookingThrough: '22:00' };
  const within: [code: string, value: RuleValue, text: string][] = [
    ['hours', { from: '07:00', through: '22:00' }, 'hours'],
    ['outside-hours', 'FirstCome', 'outside-hours-first-come'],
  ];
  const amount = { amountMinor: 500n };
  const table: [values: Values, expected: [code: string, value: RuleValue, text: string][]][] = [
    [{}, []],
    [{ Bookable: 'true', BookingCalendar: 'Laundry' }, []],
    [{ BookingHorizon: '14' }, [['horizon', 14, 'horizon']]],
    [{ BookingHorizon: '0' }, [['horizon', 0, 'horizon-today']]],
    [{ BookingNotice: '60' }, [['notice', 60, 'notice']]],
    [{ BookingNotice: '0' }, [['notice', 0, 'notice-none']]],
    [hours, within],
    [{ ...hours, BookingOutside: 'FirstCome' }, within],
    [{ ...hours, BookingOutside: 'Closed' }, [within[0]!, ['outside-hours', 'Closed', 'outside-hours-closed']]],
    [{ BookingOutside: 'Closed' }, []],
    [{ BookingFrom: '07:00' }, []],
    [
      { BookingFrom: '14:00', BookingThrough: '02:00' },
      [['hours', { from: '14:00', through: '02:00' }, 'hours-overnight'], within[1]!],
    ],
    [
      { BookingQuietFrom: '22:00', BookingQuietThrough: '06:00' },
      [['quiet-hours', { from: '22:00', through: '06:00' }, 'quiet-hours']],
    ],
    [{ BookingQuietThrough: '06:00' }, []],
    [{ BookingLastStart: '22:00' }, [['last-start', '22:00', 'last-start']]],
    [{ BookingStep: '30' }, [['step', 30, 'step']]],
    [{ BookingMinLength: '30' }, [['min-length', 30, 'min-length']]],
    [{ BookingMaxLength: '90' }, [['max-length', 90, 'max-length']]],
    [{ BookingMaxOpen: '2' }, [['max-open', 2, 'max-open']]],
    [{ BookingMaxPerDay: '1' }, [['max-per-day', 1, 'max-per-day']]],
    [{ BookingMaxPerWeek: '3' }, [['max-per-week', 3, 'max-per-week']]],
    [{ BookingMaxPerMonth: '5' }, [['max-per-month', 5, 'max-per-month']]],
    [{ BookingFor: 'Everyone' }, []],
    [{ BookingFor: 'Location' }, [['who', { for: 'Location', tag: null }, 'who-location']]],
    [{ BookingFor: 'Tag', BookingTag: 'party' }, [['who', { for: 'Tag', tag: 'party' }, 'who-tag']]],
    [{ BookingFor: 'Tag' }, [['who', { for: 'Tag', tag: null }, 'who-some']]],
    [{ BookingHold: '15' }, [['hold', 15, 'hold']]],
    [{ BookingHold: '0' }, [['hold', 0, 'hold-none']]],
    [{ BookingCancelDeadline: '1440' }, [['cancel-deadline', 1440, 'cancel-deadline']]],
    [{ BookingCancelDeadline: '0' }, [['cancel-deadline', 0, 'cancel-deadline-none']]],
    [
      { BookingPrice: '500' },
      [
        ['price', amount, 'price'],
        ['refund', 100, 'refund'],
      ],
    ],
    [
      { BookingPrice: '500', BookingRefund: '0' },
      [
        ['price', amount, 'price'],
        ['refund', 0, 'refund'],
      ],
    ],
    [{ BookingPrice: '0' }, [['price', { amountMinor: 0n }, 'price-none']]],
    [{ BookingRefund: '50' }, []],
    [{ BookingCancelFee: '500' }, [['cancel-fee', amount, 'cancel-fee']]],
    [{ BookingNoShowFee: '500' }, [['no-show-fee', amount, 'no-show-fee']]],
  ];
  for (const [values, expected] of table)
    assert.deepEqual(
      rules(values).map(({ code, value, textKey }) => [code, value, textKey]),
      expected,
      JSON.stringify(values),
    );
  const seen = new Set(table.flatMap(([values]) => rules(values).map(({ code }) => code)));
  assert.deepEqual([...seen].toSorted(), [...ruleCodes].toSorted());
});

test('steps are counted from the beginning of the hours, or from midnight', () => {
  const from = (values: Values) => rules(values).find(({ code }) => code === 'step')?.textValues['from'];
  assert.equal(from({ BookingStep: '30' }), '00:00');
  assert.equal(from({ BookingStep: '30', BookingFrom: '07:15', BookingThrough: '22:00' }), '07:15');
  assert.equal(from({ BookingStep: '30', BookingFrom: '07:15' }), '00:00');
});

type Settings = Readonly<Record<string, string | undefined>>;
const grouped = (...units: Settings[]): string => {
  const given = units.map((settings, index) => {
    const values = Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return [index + 1, new Map(values)] as const;
  });
  return groupByPolicy(new Map(given.toReversed()))
    .map(({ policy, unitIds }) => `${policy.calendar ?? '-'} ${unitIds.join('+')}`)
    .join(', ');
};

const base = {
  Bookable: 'true',
  ...Object.fromEntries(
    bookingSettings.flatMap(({ name, valueType, constraints: { options } }) => {
      const samples: Record<string, string> = { int: '7', duration: '60', money: '7', time: '06:30', text: 'x' };
      return name === 'Bookable' ? [] : [[name, options?.[0] ?? samples[valueType] ?? '']];
    }),
  ),
};

test('[rules.01] units that differ in any one rule are in different groups', () => {
  assert.equal(grouped(base, base, base), 'x 1+2+3');
  for (const { name, valueType, constraints } of bookingSettings) {
    if (name === 'Bookable') continue;
    const others: Record<string, string> = { int: '8', duration: '120', money: '8', time: '06:35', text: 'y' };
    const other = constraints.options?.[1] ?? others[valueType] ?? '';
    const expected = name === 'BookingCalendar' ? 'x 1+3, y 2' : 'x 1+3, x 2';
    assert.equal(grouped(base, { ...base, [name]: other }, base), expected, name);
  }
});

test('[rules.01] groups are sorted by calendar, none last, and then by lowest unit; a stored default makes no difference', () => {
  const unit = (BookingCalendar: string | undefined, more: Settings = {}): Settings => ({
    Bookable: 'true',
    BookingCalendar,
    ...more,
  });
  assert.equal(
    grouped(unit('b'), unit(undefined), unit('a'), unit('b', { BookingStep: '30' }), unit('a')),
    'a 3+5, b 1, b 4, - 2',
  );
  assert.equal(grouped(unit('a'), unit('a', { BookingFor: 'Everyone', BookingRefund: '100' })), 'a 1+2');
  assert.equal(grouped(unit('a', { BookingTag: '' }), unit('a')), 'a 1+2');
});

test('[rules.01, rules.04] a unit that is not bookable is in no group; one whose value of Bookable is invalid is in a group of its own', () => {
  const calendar = { BookingCalendar: 'a' };
  assert.equal(grouped({ Bookable: 'false', ...calendar }, calendar), '');
  assert.equal(grouped({ Bookable: 'true', ...calendar }, { Bookable: 'yes', ...calendar }), 'a 1, a 2');
  // The same policy, but one unit has it only because its value is invalid.
  assert.equal(
    grouped({ Bookable: 'true', ...calendar }, { Bookable: 'true', ...calendar, BookingStep: '7' }),
    'a 1, a 2',
  );
});
