// Checks which texts are valid addresses and postal codes, and what a location is looked up by.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeZip, toNameQuery } from './address-text.ts';

test('control characters and lone surrogates cannot be stored', () => {
  for (const text of ['\u0000', 'a\nb', '\u007F', '\u009F', '\uD800', 'a\uDC00'])
    assert.equal(completeZip('2100', `City${text}`), undefined, JSON.stringify(text));
  for (const text of ['Ågade 1', '😀', '\u00A01', '\u200D'])
    assert.equal(completeZip('2100', text), `2100 ${text.trim()}`);
});

test('[addresses.54] a lookup by name needs a name, and a valid postal code in countries with a postal code rule', () => {
  const cases: readonly (readonly [country: string, name: string, zip: string, isValid: boolean])[] = [
    ['DK', 'Alder house A', '2100', true],
    ['DK', ' Alder house A ', ' 2100 Byen ', true],
    ['DK', '', '2100', false],
    ['DK', 'Alder house A', '', false],
    ['DK', 'Alder house A', 'Byen', false],
    ['DK', 'Alder house A', '210', false],
    ['DK', 'Alder\thouse', '2100', false],
    ['DK', 'x'.repeat(513), '2100', false],
    ['DK', 'Alder house A', `2100 ${'x'.repeat(60)}`, false],
    ['SE', 'Alder house A', '111 29', true],
    ['GB', 'Alder house A', 'M1 1AE', true],
    ['GB', 'Alder house A', 'M1', false],
    ['IS', 'Alder house A', '101', true],
    ['IS', 'Alder house A', 'anything', true],
  ];
  for (const [country, name, zip, isValid] of cases) {
    const expected = isValid ? { address: name.trim(), zip: zip.trim() } : undefined;
    assert.deepEqual(toNameQuery(country, name, zip), expected, `${country} ${name} ${zip}`);
  }
});

test('[addresses.46] a zip with its city can be stored, or there is none', () => {
  assert.equal(completeZip('2100', ' København Ø '), '2100 København Ø');
  assert.equal(completeZip('2100', 'x'.repeat(59)), `2100 ${'x'.repeat(59)}`);
  for (const city of ['', ' ', 'x'.repeat(60), 'a\u0007b', '\uD800'])
    assert.equal(completeZip('2100', city), undefined);
});
