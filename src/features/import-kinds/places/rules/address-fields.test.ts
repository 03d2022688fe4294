// The address of a bank or location in an import: what a row makes of it.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../../../tenants.ts';
import type { AddressColumns } from '../../../../database/tables/address-columns.ts';
import { noAddress } from '../../../places/rules/new-place-rows.ts';
import type { ImportTarget } from '../../import-kind.ts';
import { addressFields, listAddressErrors, listImpliedCoordinates, toAddressState } from './address-fields.ts';
import { parseRowFields, writeValues } from '../../rules/parse-fields.ts';

const target = { tenant: builtInTenants[0]! } as ImportTarget;
const parse = (field: string, text: string) => parseRowFields(addressFields, { [field]: text }, target);

const toAddressValues = (row: AddressColumns) => writeValues(addressFields, row, target);

const looked = {
  ...noAddress,
  address: 'Lane 1',
  zip: '2100 Town',
  latitude: 55_000_000,
  longitude: 12_000_000,
  coordinate_provenance: 6,
};
const manual = { ...looked, coordinate_provenance: 30 };

test('coordinates are millionths of a degree within their ranges', () => {
  assert.equal(parse('address', ' Lane 1 ').values['address'], 'Lane 1');
  assert.equal(parse('latitude', '-90000000').values['latitude'], '-90000000');
  assert.equal(parse('longitude', '').values['longitude'], '');
  for (const [field, text] of [
    ['latitude', '90000001'],
    ['longitude', '-180000001'],
    ['latitude', 'north'],
    ['address', 'x'.repeat(513)],
    ['zip', 'x'.repeat(65)],
    ['address', 'a\u0007b'],
  ] as const)
    assert.equal(parse(field, text).errors.length, 1, `${field} ${text}`);
});

test('another address clears coordinates that were looked up, and keeps those of a person; given ones are by hand', () => {
  const other = { address: 'Lane 2' };
  const given = { latitude: '1', longitude: '-2' };
  const cases: [row: typeof looked, values: Record<string, string>, expected: Partial<typeof looked> | object][] = [
    [looked, {}, looked],
    [looked, { address: 'Lane 1', zip: '2100 Town' }, looked],
    [looked, other, { ...other, latitude: null, longitude: null, coordinate_provenance: 0 }],
    [looked, { address: 'Lane 2', zip: '' }, { address: 'Lane 2', zip: '', latitude: 55_000_000 }],
    [manual, other, { ...other, latitude: 55_000_000, coordinate_provenance: 30 }],
    [looked, given, { latitude: 1, longitude: -2, coordinate_provenance: 30 }],
    [looked, { latitude: '1' }, { latitude: 1, longitude: 12_000_000, coordinate_provenance: 30 }],
    [manual, { latitude: '', longitude: '' }, { latitude: null, longitude: null, coordinate_provenance: 0 }],
  ];
  for (const [row, values, expected] of cases)
    assert.deepEqual(toAddressState(row, values), { ...row, ...expected }, JSON.stringify(values));
});

test('what follows from a row is what is stored then', () => {
  const texts = fc.constantFrom('', 'Lane 1', 'Lane 2', '2100 Town');
  const coordinates = fc.constantFrom('', '55000000', '12000000', '1');
  const rows = fc.record(
    { address: texts, zip: texts, latitude: coordinates, longitude: coordinates },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.constantFrom(looked, manual, { ...noAddress, address: 'Lane 1' }), rows, (row, values) => {
      const stored = toAddressValues(row);
      if (listAddressErrors(values, stored).length > 0) return;
      const planned = { ...values, ...listImpliedCoordinates(row, values) };
      const changed = Object.fromEntries(Object.entries(planned).filter(([field, text]) => text !== stored[field]));
      const state = toAddressState(row, changed);
      assert.deepEqual(toAddressValues({ ...state, address_revision: 0 }), { ...stored, ...changed });
    }),
  );
});

test('one coordinate needs the other one', () => {
  assert.deepEqual(listAddressErrors({ address: 'Lane' }), []);
  assert.deepEqual(
    listAddressErrors({ latitude: '1' }).map(({ field }) => field),
    ['longitude'],
  );
  assert.deepEqual(listAddressErrors({ latitude: '1' }, { longitude: '2' }), []);
  assert.deepEqual(
    listAddressErrors({ latitude: '' }, { latitude: '1', longitude: '2' }).map(({ field }) => field),
    ['latitude'],
  );
});
