// Checks policies that are parsed from valid and invalid stored settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingSettings } from '../../units/catalogue/booking-settings.ts';
import { unitTypeCode, unitTypes } from '../../places/rules/unit-types.ts';
import { listInvalidSettings, parsePolicy, parseUnitPolicy, policySettings } from './policy.ts';

const nothing = parsePolicy(new Map());

test('without settings a unit is not bookable, and the policy has the default values', () => {
  const { bookable, outside, refundPercent, for: group, ...others } = nothing;
  assert.deepEqual([bookable, outside, refundPercent, group], [false, 'FirstCome', 100, 'Everyone']);
  for (const [name, value] of Object.entries(others)) assert.equal(value, null, name);
  assert.equal(Object.keys(nothing).length, policySettings.length);
});

test('every single setting of the group changes the policy', () => {
  const samples: Readonly<Record<string, string>> = {
    bool: 'true',
    int: '7',
    duration: '60',
    money: '9223372036854775807',
    time: '06:30',
    text: 'x',
  };
  const policies = bookingSettings.map(({ name, valueType, constraints }) =>
    parsePolicy(new Map([[name, constraints.options?.at(-1) ?? samples[valueType] ?? '']])),
  );
  const texts = policies.map((policy) =>
    Object.entries(policy).flatMap(([key, value]) =>
      value === nothing[key as keyof typeof nothing] ? [] : `${key}=${value}`,
    ),
  );
  for (const [index, changed] of texts.entries()) assert.equal(changed.length, 1, bookingSettings[index]?.name ?? '');
  assert.equal(new Set(texts.flat()).size, bookingSettings.length);
  assert.ok(texts.flat().includes('priceMinor=9223372036854775807'));
});

test('[rules.04] an invalid stored text counts as not set, and its setting is listed', () => {
  const table: [name: string, text: string][] = [
    ['Bookable', 'TRUE'],
    ['Bookable', '1'],
    ['BookingHorizon', '731'],
    ['BookingHorizon', '-1'],
    ['BookingHorizon', '014'],
    ['BookingHorizon', '14.0'],
    ['BookingHorizon', 'soon'],
    ['BookingMaxOpen', '0'],
    ['BookingStep', '7'],
    ['BookingMinLength', '62'],
    ['BookingFrom', '7:00'],
    ['BookingFrom', '24:00'],
    ['BookingThrough', '24:01'],
    ['BookingOutside', 'firstcome'],
    ['BookingFor', 'Nobody'],
    ['BookingPrice', '-1'],
    ['BookingPrice', '9223372036854775808'],
    ['BookingPrice', '1e3'],
    ['BookingRefund', '101'],
    ['BookingCalendar', 'x'.repeat(65)],
    ['BookingTag', 'a\nb'],
  ];
  for (const [name, text] of table) {
    const given = new Map([[name, text]]);
    assert.deepEqual(parsePolicy(given), nothing, `${name} ${text}`);
    assert.deepEqual(listInvalidSettings(given), [name], `${name} ${text}`);
  }
  assert.deepEqual(listInvalidSettings(new Map(table)), [
    'Bookable',
    'BookingCalendar',
    'BookingHorizon',
    'BookingMaxOpen',
    'BookingMinLength',
    'BookingStep',
    'BookingFrom',
    'BookingThrough',
    'BookingOutside',
    'BookingPrice',
    'BookingRefund',
    'BookingFor',
    'BookingTag',
  ]);
});

test('a blank text counts as not set, and settings of other groups are ignored', () => {
  const given = new Map([
    ['BookingCalendar', ''],
    ['BookingTag', '  '],
    ['Note', 'rubbish'],
  ]);
  assert.deepEqual(parsePolicy(given), nothing);
  assert.deepEqual(listInvalidSettings(given), []);
});

test('[rules.01] stored booking settings of a unit whose type has none count as not set', () => {
  const given = new Map([
    ['Bookable', 'true'],
    ['BookingMaxOpen', '2'],
    ['BookingPrice', '700'],
  ]);
  const policy = parsePolicy(given);
  assert.equal(policy.bookable, true);
  const booked = ['washer', 'party_room', 'ev_charger', 'gym'];
  const never = ['door', 'gate', 'elevator', 'heat_meter', 'payment_terminal', 'parcel_locker', 'freezer', 'shower'];
  for (const type of unitTypes) {
    if (booked.includes(type)) assert.deepEqual(parseUnitPolicy(unitTypeCode(type), given), policy, type);
    if (never.includes(type)) assert.deepEqual(parseUnitPolicy(unitTypeCode(type), given), nothing, type);
  }
  for (const code of [undefined, 0, 200]) assert.deepEqual(parseUnitPolicy(code, given), nothing);
});
