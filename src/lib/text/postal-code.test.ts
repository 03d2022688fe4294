// Postal codes as people type them, by country.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hasPostalRule, parsePostcode, splitZip } from './postal-code.ts';

test('a bare postal code is four digits, five digits or a whole alphanumeric postcode, by country', () => {
  const table: [country: string, text: string, canonical: string | undefined][] = [
    ['DK', '2100', '2100'],
    ['DK', ' 2100 ', '2100'],
    ['DK', '210', undefined],
    ['DK', '21000', undefined],
    ['DK', '2100 København Ø', undefined],
    ['DK', 'DK-2100', undefined],
    ['DK', '21 00', undefined],
    ['DK', '٢١٠٠', undefined],
    ['NO', '0150', '0150'],
    ['NO', '150', undefined],
    ['SE', '111 29', '111 29'],
    ['SE', '11129', '111 29'],
    ['SE', '111\u00A029', '111 29'],
    ['SE', '111  29', '111 29'],
    ['SE', '11 129', undefined],
    ['SE', '1112', undefined],
    ['DE', '01067', '01067'],
    ['DE', '010 67', undefined],
    ['DE', '1067', undefined],
    ['GB', 'EC1A 1BB', 'EC1A 1BB'],
    ['GB', 'ec1a1bb', 'EC1A 1BB'],
    ['GB', 'M1 1AE', 'M1 1AE'],
    ['GB', 'm11ae', 'M1 1AE'],
    ['GB', 'B33 8TH', 'B33 8TH'],
    ['GB', 'DN55 1PT', 'DN55 1PT'],
    ['GB', 'W1A 0AX', 'W1A 0AX'],
    ['GB', 'GIR 0AA', 'GIR 0AA'],
    ['GB', 'gir0aa', 'GIR 0AA'],
    ['GB', 'GIR 1AA', undefined],
    ['GB', 'EC1A', undefined],
    ['GB', 'EC1A 1B', undefined],
    ['GB', 'ABC1 1AA', undefined],
    ['GB', 'M1 11AE', undefined],
    ['GB', 'ſW1A 0AX', undefined],
    ['GB', '', undefined],
    ['IS', '101', undefined],
    ['FI', '00100', undefined],
    ['', '2100', undefined],
  ];
  for (const [country, text, canonical] of table) assert.equal(parsePostcode(country, text), canonical, text);
});

test('countries without a rule have no postal codes', () => {
  assert.deepEqual(
    ['DK', 'NO', 'SE', 'DE', 'GB', 'IS', 'dk'].map((country) => hasPostalRule(country)),
    [true, true, true, true, true, false, false],
  );
});

test('a text is parsed into a postal code and its city', () => {
  const table: [country: string, zip: string, expected: ReturnType<typeof splitZip>][] = [
    ['DK', '2100 København Ø', { postcode: '2100', city: 'København Ø' }],
    ['DK', '2100', { postcode: '2100', city: '' }],
    ['DK', 'København 2100', undefined],
    ['DK', '2100København', undefined],
    ['SE', '111 29 Stockholm', { postcode: '111 29', city: 'Stockholm' }],
    ['SE', '11129  Stockholm', { postcode: '111 29', city: 'Stockholm' }],
    ['SE', '111 29', { postcode: '111 29', city: '' }],
    ['DE', '01067 Dresden', { postcode: '01067', city: 'Dresden' }],
    ['GB', 'm1 1ae Manchester', { postcode: 'M1 1AE', city: 'Manchester' }],
    ['GB', 'M11AE Manchester', { postcode: 'M1 1AE', city: 'Manchester' }],
    ['GB', 'M1 Manchester', undefined],
    ['IS', '101 Reykjavík', undefined],
    ['DK', '', undefined],
  ];
  for (const [country, zip, expected] of table) assert.deepEqual(splitZip(country, zip), expected, zip);
});

test('a canonical spelling stays as it is, and a code followed by a city is found again', () => {
  const letter = fc.constantFrom('A', 'B', 'E', 'H', 'R', 'S', 'W');
  const codes = fc.oneof(
    fc.record({ country: fc.constantFrom('DK', 'NO'), text: fc.stringMatching(/^\d{4}$/) }),
    fc.record({ country: fc.constant('SE'), text: fc.stringMatching(/^\d{3} ?\d{2}$/) }),
    fc.record({ country: fc.constant('DE'), text: fc.stringMatching(/^\d{5}$/) }),
    fc.record({
      country: fc.constant('GB'),
      text: fc
        .tuple(letter, fc.stringMatching(/^\d$/), fc.constantFrom('', ' '), fc.stringMatching(/^\d[a-z]{2}$/))
        .map((parts) => parts.join('')),
    }),
  );
  fc.assert(
    fc.property(codes, fc.constantFrom('', 'Ås', 'Den Haag', 'L'), ({ country, text }, city) => {
      const postcode = parsePostcode(country, text);
      assert.ok(postcode !== undefined);
      assert.equal(parsePostcode(country, postcode), postcode);
      assert.deepEqual(splitZip(country, `${text} ${city}`), { postcode, city });
    }),
  );
});
