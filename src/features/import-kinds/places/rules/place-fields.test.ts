// Checks how the fields of banks, locations, units, settings and opening exceptions are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../../../tenants.ts';
import type { FieldParser, ImportTarget, RowValues } from '../../import-kind.ts';
import type { StoredExceptionRow } from '../../opening-exceptions/queries/exception-rows.ts';
import { combineException, exceptionFields } from '../../opening-exceptions/rules/exception-fields.ts';
import {
  enabledField,
  iconField,
  nameField,
  parseBankNumber,
  parseBankType,
  parseCurrency,
  parseRate,
  parseZoneName,
  parseUnitType,
} from './place-fields.ts';
import { parseRowFields } from '../../rules/parse-fields.ts';
import { combineSetting } from '../../settings/rules/setting-fields.ts';

const target = { tenant: builtInTenants[0] } as ImportTarget;

const parseException = (values: RowValues) => combineException(parseRowFields(exceptionFields, values, target));

const formatIntervals = (intervals: string): string | undefined =>
  exceptionFields['intervals']?.write?.({ intervals } as StoredExceptionRow, target);

const refused = Symbol('refused');
const longName = 'x'.repeat(201);

const readField = (parse: FieldParser, text: string): string | typeof refused => {
  const result = parse(text, target);
  return 'value' in result ? result.value : refused;
};

const tables: readonly (readonly [
  name: string,
  parse: FieldParser,
  rows: Readonly<Record<string, string | symbol>>,
])[] = [
  ['a name', nameField.parse, { ' Å ': 'Å', '': refused, '\u200B': refused, [longName]: refused, 'a\nb': refused }],
  ['enabled', enabledField.parse, { '': 'true', TRUE: 'true', ' false ': 'false', yes: refused, '1': refused }],
  ['an icon', iconField.parse, { '': '', Laundry_Room: 'laundry_room', lighthouse: refused, 'house~n5': refused }],
  [
    'a time zone',
    parseZoneName,
    {
      '': 'Europe/Copenhagen',
      'europe/oslo': 'Europe/Oslo',
      'Romance Standard Time': 'Europe/Copenhagen',
      '+02:00': refused,
      Mars: refused,
    },
  ],
  ['the type of a bank', parseBankType, { cash: 'Cash', Rent: 'Rent', '': refused, '1': refused }],
  ['the type of a unit', parseUnitType, { Washer: 'washer', ev_charger: 'ev_charger', '': refused, unit: refused }],
  ['a currency', parseCurrency, { '': 'DKK', eur: 'EUR', kr: refused, XYZ: refused }],
  [
    'a rate',
    parseRate,
    { '': '', '1': '1', '10000': '10000', '0': refused, '10001': refused, '-1': refused, '7.5': refused },
  ],
  [
    'a bank number',
    parseBankNumber,
    { '': '', '1000': '1000', '2147483647': '2147483647', '999': refused, '2147483648': refused, '01001': refused },
  ],
];

for (const [name, parse, rows] of tables)
  test(`${name} has one spelling, or is refused`, () => {
    for (const [text, expected] of Object.entries(rows))
      assert.equal(readField(parse, text), expected, JSON.stringify(text));
  });

test('the value of a setting has the spelling in which it is stored', () => {
  const valueOf = (setting: string, value: string): string => {
    const { values, errors } = combineSetting({ values: { unit: 'u', setting, value }, errors: [] });
    return errors[0]?.code ?? values['value'] ?? '';
  };
  for (const [setting, value, expected] of [
    ['SoapDose', '12.5', '12.5'],
    ['SoapDose', '12', '12.0'],
    ['SoapDose', '012.50', '12.5'],
    ['SoapDose', '', '40.0'],
    ['SoapDose', '12,5', '12.5'],
    ['SoapDose', '1e1', 'invalid'],
    ['SoapDose', '250.5', 'invalid'],
    ['PriceWash40', '', ''],
    ['PriceWash40', '100000000', '100000000'],
    ['PriceWash40', '100000001', 'invalid'],
    ['PriceWash40', '9223372036854775808', 'invalid'],
    ['ReadingOffset', '-0.001', '-0.001'],
    ['ChildLock', '', 'false'],
    ['ChildLock', 'True', 'invalid'],
    ['LightsOutAt', '24:00', '24:00'],
    ['OpeningMonday', 'closed', 'closed'],
    ['Note', ' kept as it is ', ' kept as it is '],
    ['EquipmentKey', 'x', 'unknown-setting'],
    ['Temperature', '1', 'unknown-setting'],
    ['Cycle', 'Start', 'read-only-setting'],
  ] as const)
    assert.equal(valueOf(setting, value), expected, `${setting} ${value}`);
});

test('intervals have one spelling, in the order of their start', () => {
  const read = parseException;
  for (const [intervals, expected] of [
    ['closed', 'closed'],
    [' CLOSED ', 'closed'],
    ['13:00-22:00, 07:00-12:00', '07:00-12:00,13:00-22:00'],
    ['22:00-02:00', '22:00-02:00'],
    ['00:00-24:00', '00:00-24:00'],
  ] as const) {
    const { values, errors } = read({ intervals });
    assert.deepEqual([errors, values['intervals']], [[], expected]);
    assert.equal(formatIntervals(expected), expected);
  }
  for (const intervals of ['', '7-12', '24:00-25:00', '07:00-12:00;13:00-14:00'])
    assert.equal(read({ intervals }).errors[0]?.field, 'intervals', intervals);
  assert.equal(formatIntervals(''), 'closed');
  assert.equal(formatIntervals('whenever'), 'whenever');
});

test('a day is one of the calendar, and an exception is of one place', () => {
  const codesOf = (values: RowValues): string[] =>
    parseException(values).errors.map(({ field, code }) => `${field} ${code}`);
  assert.deepEqual(codesOf({ day: '2028-02-29', location: 'a', unit: '' }), []);
  assert.deepEqual(codesOf({ day: '2027-02-29' }), ['day invalid']);
  assert.deepEqual(codesOf({ day: '' }), ['day required']);
  assert.deepEqual(codesOf({ location: 'a', unit: 'b' }), ['unit invalid']);
  assert.deepEqual(codesOf({ text: 'x'.repeat(201) }), ['text too-long']);
});
