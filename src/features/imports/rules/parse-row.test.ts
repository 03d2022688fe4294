// Numbers of files that a profile reads, in every numeric column of every kind: they keep their scale.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../../tenants.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import type { ImportTarget, RowValues } from '../../import-kinds/import-kind.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import { parseProfile } from '../../import-profiles/rules/profile.ts';
import { createRowReader } from './parse-row.ts';

const target = { tenant: builtInTenants[0] } as ImportTarget;

/** A column, what else the row has, and how many decimals the field counts in: 0 where it has the number as it is. */
const columns: readonly (readonly [kind: ImportKindName, field: string, counted: number, others?: RowValues])[] = [
  ['readings', 'value', 0, { unit: 'u', at: '2026-01-31T07:15:00Z', counter: 'VolumeReading' }],
  ['settings', 'value', 0, { unit: 'u', setting: 'RoomSetpoint' }],
  ['settings', 'value', 0, { unit: 'u', setting: 'ParkingFloor' }],
  ['settings', 'value', 2, { unit: 'u', setting: 'PriceWash40' }],
  ['postings', 'amount', 2, { at: '2026-01-31T07:15:00Z', kind: 'Payment' }],
  ['postings', 'amount', 2, { at: '2026-01-31T07:15:00Z', kind: 'Payment', currency: 'EUR' }],
  ['postings', 'amount', 0, { at: '2026-01-31T07:15:00Z', kind: 'Payment', currency: 'ISK' }],
  ['postings', 'amount', 3, { at: '2026-01-31T07:15:00Z', kind: 'Payment', currency: 'KWD' }],
  ['postings', 'document', 0, { at: '2026-01-31T07:15:00Z', kind: 'Payment', amount: '100' }],
  ['postings', 'internalTag', 0, { at: '2026-01-31T07:15:00Z', kind: 'Payment', amount: '100' }],
  ['bookings', 'price', 2, { unit: 'u', from: '2026-01-31T08:00', to: '2026-01-31T10:00' }],
  ['banks', 'vat', 2, { name: 'n' }],
  ['banks', 'discount', 2, { name: 'n' }],
  ['locations', 'latitude', 6, { name: 'n', longitude: '12' }],
];

const digits = [0, 1, 2, 3, 4, 5, 6];
const marks = [',', '.', 'implied'] as const;
const signs = [{ at: 'leading' }, { at: 'trailing' }, { at: 'column', from: 'Sign', minus: 'D', plus: 'C' }] as const;

/** The whole number, in the spelling that the profile says. */
function spell(whole: number, decimals: number, mark: (typeof marks)[number]): string {
  const zeros = '0'.repeat(decimals);
  if (mark === 'implied') return `${whole}${zeros}`;
  return decimals === 0 ? String(whole) : `${whole}${mark}${zeros}`;
}

for (const [kind, field, counted, others = {}] of columns)
  test(`[imports.13] a profile keeps the scale of ${field} of ${kind} ${Object.values(others).at(-1) ?? ''}`, () => {
    for (const decimals of digits)
      for (const decimal of marks)
        for (const sign of signs) {
          const other = Object.keys(others).map((name) => ({ field: name, from: name }));
          const document = {
            name: 'table',
            kind,
            format: 'csv',
            header: true,
            columns: [{ field: 'key', from: 'key' }, { field, from: 'Number', decimals, decimal, sign }, ...other],
          };
          const parsed = parseProfile(document);
          assert.ok('profile' in parsed, JSON.stringify(parsed));
          const { profile } = parsed;
          const read = createRowReader({ kind: importKinds[kind], profileOf: () => profile, currency: 'DKK' }, target);
          const cells = { key: 'k', Number: spell(20, decimals, decimal), Sign: 'C', ...others };
          const { values, errors } = read({ line: 1, values: new Map(Object.entries(cells)) }, 1);
          assert.deepEqual(errors, [], JSON.stringify(document));
          assert.equal(Number(values[field]), 20 * 10 ** counted, JSON.stringify([document.columns[1], cells]));
        }
  });

const readNumber = (kind: ImportKindName, cells: RowValues, column: object) => {
  const parsed = parseProfile({
    name: 'one',
    kind,
    format: 'csv',
    header: true,
    columns: Object.keys(cells).map((from) => ({ field: from, from, ...(from in column ? Object(column)[from] : {}) })),
  });
  assert.ok('profile' in parsed, JSON.stringify(parsed));
  const read = createRowReader({ kind: importKinds[kind], profileOf: () => parsed.profile, currency: 'DKK' }, target);
  return read({ line: 1, values: new Map(Object.entries(cells)) }, 1);
};

const reading = { key: 'k', unit: 'u', at: '2026-01-31T07:15:00Z', counter: 'VolumeReading' };
const setting = { key: 'k', unit: 'u', setting: 'RoomSetpoint' };

test('[imports.13] fractions keep their place, and digits that a field has no room for are an error', () => {
  const comma = { value: { decimals: 3, decimal: ',' } };
  assert.equal(readNumber('readings', { ...reading, value: '1234,567' }, comma).values['value'], '1234.567');
  assert.equal(readNumber('readings', { ...reading, value: '-0,050' }, comma).values['value'], '-0.05');
  assert.equal(readNumber('settings', { ...setting, value: '20,5' }, comma).values['value'], '20.5');
  const price = { key: 'k', unit: 'u', setting: 'PriceWash40', value: '20,505' };
  assert.deepEqual(
    readNumber('settings', price, comma).errors.map(({ field, code }) => [field, code]),
    [['value', 'too-many-decimals']],
  );
  const amount = { key: 'k', at: '2026-01-31T07:15:00Z', kind: 'Payment', currency: 'ISK', amount: '1250,50' };
  assert.deepEqual(
    readNumber('postings', amount, { amount: { decimals: 2, decimal: ',' } }).errors.map(({ code }) => code),
    ['too-many-decimals'],
  );
});

test('[imports.13] without a profile, a reading and a decimal setting have a decimal point or comma', () => {
  for (const [text, value] of [
    ['1234,567', '1234.567'],
    ['1234.567', '1234.567'],
    ['0,125', '0.125'],
    ['12,5', '12.5'],
    [' 7 ', '7'],
    ['1.234', '1.234'],
  ] as const)
    assert.equal(readNumber('readings', { ...reading, value: text }, {}).values['value'], value, text);
  for (const text of ['1,234', '12,345', '1.234,5', '1,2,3', '', ',5', '5,', '1e3', '٣'])
    assert.equal(readNumber('readings', { ...reading, value: text }, {}).errors.length, 1, text);
  assert.equal(readNumber('settings', { ...setting, value: '20,5' }, {}).values['value'], '20.5');
});
