// How the fields of keys, installers and managers are read from a file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../../tenants.ts';
import type { FieldTable, ImportKind, ImportTarget } from '../import-kind.ts';
import { installersKind } from '../installers/installers.ts';
import { keysKind } from '../keys/keys.ts';
import { managersKind } from '../managers/managers.ts';
import { parseRowFields } from './parse-fields.ts';

const tenant = builtInTenants.find(({ name }) => name === 'sund')!;
const target = { tenant } as ImportTarget;

const tableOf = ({ columns }: ImportKind): FieldTable =>
  Object.fromEntries(columns.map(({ field, ...column }) => [field, column]));

const [installerFields, managerFields] = [tableOf(installersKind), tableOf(managersKind)];

type Spelling = readonly [field: string, text: string, value: string];

function assertSpellings(fields: FieldTable, spellings: readonly Spelling[]): void {
  for (const [field, text, value] of spellings)
    assert.deepEqual(
      parseRowFields(fields, { [field]: text }, target),
      { values: { [field]: value }, errors: [] },
      text,
    );
}

const assertRefused = (fields: FieldTable, texts: readonly (readonly [field: string, text: string])[]): void => {
  for (const [field, text] of texts)
    assert.equal(parseRowFields(fields, { [field]: text }, target).errors.length, 1, `${field} ${text}`);
};

test('every column has a parser, and an example that it takes as it is', () => {
  for (const fields of [installerFields, managerFields])
    for (const [field, { example, parse }] of Object.entries(fields)) {
      assert.ok(parse !== undefined, field);
      assert.deepEqual(parseRowFields(fields, { [field]: example }, target).errors, [], field);
    }
  const example = Object.fromEntries(keysKind.columns.map((column) => [column.field, column.example]));
  assert.deepEqual(keysKind.parseRow(example, target).errors, []);
});

test('a key has one spelling, with its kind in front or in a column of its own', () => {
  const parse = (number: string, kind?: string) =>
    keysKind.parseRow({ number, ...(kind === undefined ? {} : { kind }) }, target);
  assert.deepEqual(parse(' 0x04:a2:1b:33 ', '').values, { number: '04A21B33', kind: 'Tag' });
  assert.deepEqual(parse('card: 12 345').values, { number: '12345', kind: 'Card' });
  assert.deepEqual(parse('Card:12345', '').values, { number: '12345', kind: 'Card' });
  assert.deepEqual(parse('12345', 'CARD').values, { number: '12345', kind: 'Card' });
  assert.deepEqual(parse('12345').values, { number: '12345' });
  for (const [number, kind] of [
    ['12', ''],
    ['', ''],
    ['12345', 'Ring'],
    ['Tag:12345', 'Card'],
  ] as const)
    assert.equal(parse(number, kind).errors.length, 1, `${number} ${kind}`);
});

test('each field of an installer has one spelling', () => {
  assertSpellings(installerFields, [
    ['state', '', 'active'],
    ['tags', ' Locks ; locks;Ånd; ', 'Ånd;locks'],
    ['locations', 'house-1, sund-B1-L10  house-1', 'house-1 sund-B1-L10'],
    ['icon', '', 'person'],
    ['phone', ' 20 12 34 56 ', '20 12 34 56'],
  ]);
  assertRefused(installerFields, [
    ['name', ' '],
    ['tags', `${'x'.repeat(65)};y`],
    ['state', 'gone'],
    ['icon', 'nothing'],
    ['organisation', 'x'.repeat(201)],
  ]);
});

test('each field of a manager has one spelling', () => {
  assertSpellings(managerFields, [
    ['tabs', 'Users2,Account2 Users2', 'Account2 Users2'],
    ['permissions', 'User.Write Bank.Read', 'Bank.Read User.Write'],
    ['grants', ' house-1,tenant', 'house-1 tenant'],
    ['state', '', 'disabled'],
  ]);
  assert.match(parseRowFields(managerFields, { tabs: 'all' }, target).values['tabs'] ?? '', /^Account2 Bookings1/);
  assertRefused(managerFields, [
    ['userName', ''],
    ['userName', 'x'.repeat(129)],
    ['permissions', 'Bank.Fly'],
    ['state', 'away'],
  ]);
});

test('lists of places have one spelling of their KIDs', () => {
  const cases: [fields: FieldTable, name: string, text: string, value: string | undefined][] = [
    [installerFields, 'locations', 'sund-B2-L1 sund-B1-L10 sund-B1-L2', 'sund-B1-L2 sund-B1-L10 sund-B2-L1'],
    [installerFields, 'locations', 'sund-B1', undefined],
    [installerFields, 'locations', 'house-1', undefined],
    [managerFields, 'grants', 'sund-B2 sund-B1-L3 sund-B1', 'sund-B1 sund-B2 sund-B1-L3'],
    [managerFields, 'grants', 'sund', 'tenant'],
    [managerFields, 'grants', 'tenant sund-B1', 'tenant sund-B1'],
    [managerFields, 'grants', 'sund-B1-L1-U1', undefined],
    [managerFields, 'grants', 'fjord', undefined],
  ];
  for (const [fields, name, text, value] of cases) {
    const parsed = fields[name]!.parsePlaces!(text, target);
    assert.equal('value' in parsed ? parsed.value : undefined, value, `${name} ${text}`);
  }
});
