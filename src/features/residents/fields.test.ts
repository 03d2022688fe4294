// Checks which texts the fields of residents accept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertParsed, assertStable, valueOf } from '../../../test/support/field-results.ts';
import { residentFields } from './fields.ts';

const parseApartment = (text: string) => residentFields.apartment.parse(text, { name: 'sund', country: 'DK' });

test('an apartment may be empty, and has at most 64 characters', () => {
  assertParsed(parseApartment, [
    ['', ''],
    [' 2. tv ', '2. tv'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), undefined],
    ['a\rb', undefined],
  ]);
});

test('a language is one of the portal’s', () => {
  const { parse } = residentFields.language;
  for (const text of ['en', 'da', 'de']) assert.equal(valueOf(parse(text)), text);
  for (const text of ['', 'EN', 'xx', 'en-GB', ' en', 'constructor']) assert.equal(valueOf(parse(text)), undefined);
});

test('no text makes a field throw, and an accepted value is accepted again unchanged', () => {
  assertStable(parseApartment);
});
