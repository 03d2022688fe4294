// How the fields of keys, installers and managers are read from a file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../../tenants.ts';
import type { ImportColumn, ImportTarget } from '../import-kind.ts';
import { installerColumns, installerParsers } from '../installers/rules/installer-rows.ts';
import { residentKeyColumns, parseKeyRow } from '../keys/rules/key-rows.ts';
import { managerColumns, managerParsers } from '../managers/rules/manager-rows.ts';
import { parseFields, type FieldParsers } from './parse-fields.ts';

const tenant = builtInTenants.find(({ name }) => name === 'sund')!;
const target = { tenant } as ImportTarget;

type Spelling = readonly [field: string, text: string, value: string];

function assertSpellings(parsers: FieldParsers, spellings: readonly Spelling[]): void {
  for (const [field, text, value] of spellings)
    assert.deepEqual(parseFields({ [field]: text }, parsers, target), { values: { [field]: value }, errors: [] }, text);
}

const assertRefused = (parsers: FieldParsers, texts: readonly (readonly [field: string, text: string])[]): void => {
  for (const [field, text] of texts)
    assert.equal(parseFields({ [field]: text }, parsers, target).errors.length, 1, `${field} ${text}`);
};

test('every column has a parser, and an example that it takes as it is', () => {
  const kinds: [readonly ImportColumn[], FieldParsers][] = [
    [installerColumns, installerParsers],
    [managerColumns, managerParsers],
  ];
  for (const [columns, parsers] of kinds) {
    assert.deepEqual(
      columns.map(({ field }) => field),
      Object.keys(parsers),
    );
    for (const { field, example } of columns)
      assert.deepEqual(parseFields({ [field]: example }, parsers, target).errors, [], field);
  }
  const example = Object.fromEntries(residentKeyColumns.map((column) => [column.field, column.example]));
  assert.deepEqual(parseKeyRow(example, target).errors, []);
});

test('a key has one spelling, with its kind in front or in a column of its own', () => {
  const parse = (number: string, kind?: string) =>
    parseKeyRow({ number, ...(kind === undefined ? {} : { kind }) }, target);
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
  assertSpellings(installerParsers, [
    ['state', '', 'active'],
    ['tags', ' Locks ; locks;Ånd; ', 'Ånd;locks'],
    ['locations', 'house-1, sund-B1-L10  house-1', 'house-1 sund-B1-L10'],
    ['icon', '', 'person'],
    ['phone', ' 20 12 34 56 ', '20 12 34 56'],
  ]);
  assertRefused(installerParsers, [
    ['name', ' '],
    ['tags', `${'x'.repeat(65)};y`],
    ['state', 'gone'],
    ['icon', 'nothing'],
    ['organisation', 'x'.repeat(201)],
  ]);
});

test('each field of a manager has one spelling', () => {
  assertSpellings(managerParsers, [
    ['tabs', 'Users2,Account2 Users2', 'Account2 Users2'],
    ['permissions', 'User.Write Bank.Read', 'Bank.Read User.Write'],
    ['grants', ' house-1,tenant', 'house-1 tenant'],
    ['state', '', 'disabled'],
  ]);
  assert.match(parseFields({ tabs: 'all' }, managerParsers, target).values['tabs'] ?? '', /^Account2 Bookings1/);
  assertRefused(managerParsers, [
    ['userName', ''],
    ['userName', 'x'.repeat(129)],
    ['permissions', 'Bank.Fly'],
    ['state', 'away'],
  ]);
});

test('lists of places have one spelling of their KIDs', () => {
  const parserOf = (columns: readonly ImportColumn[], name: string) =>
    columns.find(({ field }) => field === name)!.parsePlaces!;
  const cases: [columns: readonly ImportColumn[], name: string, text: string, value: string | undefined][] = [
    [installerColumns, 'locations', 'sund-B2-L1 sund-B1-L10 sund-B1-L2', 'sund-B1-L2 sund-B1-L10 sund-B2-L1'],
    [installerColumns, 'locations', 'sund-B1', undefined],
    [installerColumns, 'locations', 'house-1', undefined],
    [managerColumns, 'grants', 'sund-B2 sund-B1-L3 sund-B1', 'sund-B1 sund-B2 sund-B1-L3'],
    [managerColumns, 'grants', 'sund', 'tenant'],
    [managerColumns, 'grants', 'tenant sund-B1', 'tenant sund-B1'],
    [managerColumns, 'grants', 'sund-B1-L1-U1', undefined],
    [managerColumns, 'grants', 'fjord', undefined],
  ];
  for (const [columns, name, text, value] of cases) {
    const parsed = parserOf(columns, name)(text, 'sund');
    assert.equal('value' in parsed ? parsed.value : undefined, value, `${name} ${text}`);
  }
});
