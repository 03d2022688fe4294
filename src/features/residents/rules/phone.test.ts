// Checks which phones are accepted, and by which words they are found.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStable, valueOf } from '../../../../test/support/field-results.ts';
import { listPhoneWords, parsePhone } from './phone.ts';

test('a phone number is stored as it was typed and as E.164, by the country of the tenant', () => {
  const table: [text: string, country: string, number: string | null | undefined][] = [
    ['', 'DK', null],
    ['12 34 56 78', 'DK', '+4512345678'],
    ['+45 12 34 56 78', 'DE', '+4512345678'],
    ['0045 12345678', 'DK', '+4512345678'],
    ['0171 2345678', 'DE', '+491712345678'],
    ['+49 171 2345678', 'DK', '+491712345678'],
    ['(0171) 234-5678', 'DE', '+491712345678'],
    ['12345678', 'DE', '+4912345678'],
    ['1', 'DK', undefined],
    ['123456789012', 'DK', undefined],
    ['+45', 'DK', undefined],
    ['+999 12345678', 'DK', undefined],
    ['call me', 'DK', undefined],
    ['12 34 56 78 x9', 'DK', undefined],
    ['١٢٣٤٥٦٧٨', 'DK', undefined],
    [`+45 12345678${' '.repeat(19)}0`, 'DK', undefined],
    ['12-34-56-78-'.repeat(3), 'DK', undefined],
  ];
  for (const [text, country, number] of table) {
    const expected = number === undefined ? undefined : { typed: text, number };
    assert.deepEqual(valueOf(parsePhone(text, country)), expected, `${text} in ${country}`);
  }
  assert.deepEqual(valueOf(parsePhone('  12 34 56 78 ', 'DK')), { typed: '12 34 56 78', number: '+4512345678' });
});

test('no text makes the parser throw, and a typed phone is accepted again unchanged', () => {
  assertStable((text) => {
    const result = parsePhone(text, 'DK');
    return 'value' in result ? { value: result.value.typed } : result;
  });
});

test('a phone is found as it was typed, and with and without the code of its country', () => {
  const wordsOf = (text: string, country: string) => {
    const phone = valueOf(parsePhone(text, country));
    return phone && listPhoneWords(phone);
  };
  assert.deepEqual(wordsOf('12 34-56 78', 'DK'), ['12345678', '4512345678', '12345678']);
  assert.deepEqual(wordsOf('(0171) 2345678', 'DE'), ['01712345678', '491712345678', '1712345678']);
  assert.deepEqual(listPhoneWords({ typed: '000-9001', number: null }), ['0009001', '', '']);
});
