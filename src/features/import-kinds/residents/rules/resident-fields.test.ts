// How the fields of residents are read from a file, and by which commands they change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../../../tenants.ts';
import type { ImportTarget } from '../../import-kind.ts';
import { parseRowFields } from '../../rules/parse-fields.ts';
import { applyMoveOut, listResidentActions, residentImportFields } from './resident-fields.ts';

const tenant = builtInTenants.find(({ name }) => name === 'sund')!;
const target = { tenant } as ImportTarget;
const parse = (field: string, text: string) => parseRowFields(residentImportFields, { [field]: text }, target);

test('every column has a parser', () => {
  for (const [field, { parse: parser }] of Object.entries(residentImportFields)) assert.ok(parser !== undefined, field);
});

test('each field has one spelling, and an empty one is its default', () => {
  const spelled: readonly (readonly [field: string, text: string, value: string])[] = [
    ['name', ' A\u030Asa Example ', 'Åsa Example'],
    ['email', ' Anna@Example.org ', 'Anna@Example.org'],
    ['email', '', ''],
    ['phone', ' 12 34 56 78 ', '12 34 56 78'],
    ['phone', '', ''],
    ['language', 'DE', 'de'],
    ['language', '', 'da'],
    ['apartment', ' 2. tv ', '2. tv'],
    ['location', ' L1 ', 'L1'],
    ['tags', ' 0x04c3:aa  04-a1-bb ', '04A1BB 04C3AA'],
    ['tags', ' ', ''],
    ['state', 'Disabled', 'disabled'],
    ['state', '', 'active'],
    ['movedOut', ' 2026-05-31 ', '2026-05-31'],
    ['movedOut', '', ''],
  ];
  for (const [field, text, value] of spelled)
    assert.deepEqual(parse(field, text), { values: { [field]: value }, errors: [] }, `${field} ${text}`);
});

test('what is wrong is named with its field, its code and the reason of the operations', () => {
  const wrong: readonly (readonly [field: string, text: string, code: string, reason: RegExp])[] = [
    ['name', '', 'required', /^name: must not be empty\.$/],
    ['name', 'x'.repeat(201), 'too-long', /^name: must have at most 200 characters\.$/],
    ['email', 'anna', 'invalid', /^email: must be an email address\.$/],
    ['phone', 'none', 'invalid', /^phone: must be a phone number of at most 32 characters/],
    ['language', 'xx', 'invalid', /^language: must be one of da, en, /],
    ['apartment', 'x'.repeat(65), 'too-long', /^apartment: must have at most 64 characters\.$/],
    ['tags', '04A1BB 12', 'invalid', /^tags: must have numbers of tags/],
    ['tags', 'Card:12345', 'invalid', /^tags: must have numbers of tags/],
    ['tags', '04A1BB 04:a1:bb', 'invalid', /^tags: must not have a number twice\.$/],
    ['state', 'deleted', 'invalid', /^state: must be active or disabled\.$/],
    ['movedOut', '31-05-2026', 'invalid', /^movedOut: must be a day such as 2026-05-31\.$/],
    ['movedOut', '2026-02-30', 'invalid', /^movedOut: must be a day such as/],
  ];
  for (const [field, text, code, reason] of wrong) {
    const [error, ...others] = parse(field, text).errors;
    assert.deepEqual([error?.field, error?.code, others.length], [field, code, 0], `${field} ${text}`);
    assert.match(error?.text ?? '', reason);
  }
});

test('whoever moved out today or earlier is disabled; a later day, or none, is that they live there', () => {
  // Half past eleven in the evening in UTC, which is the next day in Copenhagen.
  const now = Date.parse('2026-05-30T23:30:00Z') - Date.UTC(2000, 0, 1);
  const applied = (values: Record<string, string>) => applyMoveOut({ values, errors: [] }, { ...target, now });
  const cases: [values: Record<string, string>, expected: Record<string, string>][] = [
    [{ name: 'Ada' }, { name: 'Ada' }],
    [{ movedOut: '' }, { movedOut: '' }],
    [
      { movedOut: '2026-06-01', state: 'active' },
      { movedOut: '', state: 'active' },
    ],
    [{ movedOut: '2026-05-31', state: 'active' }, { state: 'disabled' }],
    [{ movedOut: '1999-12-31' }, { state: 'disabled' }],
  ];
  for (const [values, expected] of cases) assert.deepEqual(applied(values), { values: expected, errors: [] });
  const errors = [{ field: 'movedOut', code: 'invalid', text: 'movedOut: is wrong.' }];
  const values = { movedOut: '0' };
  assert.deepEqual(applyMoveOut({ values, errors }, { ...target, now }), { values, errors });
});

test('a column that the file does not have is no field', () => {
  assert.deepEqual(parseRowFields(residentImportFields, { name: 'Ada' }, target), {
    values: { name: 'Ada' },
    errors: [],
  });
});

test('a change is one command for each field, and one for each tag; tags are taken away before others are added', () => {
  const current = {
    name: 'Ada',
    email: 'a@example.org',
    phone: '',
    language: 'da',
    apartment: '',
    location: 'sund-B1-L1',
    tags: 'AAAA BBBB CCCC',
    state: 'active',
  };
  const wanted = { ...current, name: 'Åse', location: '', tags: 'BBBB DDDD', state: 'disabled', phone: '12345678' };
  assert.deepEqual(listResidentActions(current, wanted, tenant), [
    { command: 'SetName', value: 'Åse' },
    { command: 'SetPhone', value: { typed: '12345678', number: '+4512345678' } },
    { command: 'SetLocation', value: null },
    { command: 'RemoveKey', value: { kind: 'Tag', number: 'AAAA' } },
    { command: 'RemoveKey', value: { kind: 'Tag', number: 'CCCC' } },
    { command: 'AddKey', value: { kind: 'Tag', number: 'DDDD' } },
    { command: 'Disable' },
  ]);
  assert.deepEqual(listResidentActions(current, current, tenant), []);
  assert.deepEqual(listResidentActions(current, { email: '' }, tenant), [{ command: 'SetEmail', value: '' }]);
  assert.deepEqual(listResidentActions({ ...current, state: 'disabled' }, { state: 'active' }, tenant), [
    { command: 'Enable' },
  ]);
});
