// Checks which texts are keys of residents.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertParsed, valueOf } from '../../../../test/support/field-results.ts';
import { parseKey } from './resident-key.ts';

test('a key is a tag, or a card if it says so, of 4 to 32 letters and digits, whatever separates them', () => {
  const tag = (number: string) => ({ kind: 'Tag' as const, number });
  const card = (number: string) => ({ kind: 'Card' as const, number });
  assertParsed(parseKey, [
    ['04:a2:1B:33', tag('04A21B33')],
    ['04 A2-1b.33', tag('04A21B33')],
    ['0X04A21B33', tag('04A21B33')],
    ['0x04:a2:1b:33', tag('04A21B33')],
    ['Card:0x12 34', card('1234')],
    ['0XYZ12', tag('0XYZ12')],
    ['0x123', undefined],
    ['Tag:1234', tag('1234')],
    ['card:12 34', card('1234')],
    ['CARD:ABCD', card('ABCD')],
    [' Card:1234 ', card('1234')],
    ['1'.repeat(32), tag('1'.repeat(32))],
    ['1'.repeat(33), undefined],
    ['123', undefined],
    ['', undefined],
    ['Card:', undefined],
    ['Tag:12', undefined],
    ['Fob:1234!', undefined],
    ['ÅÅÅÅ', undefined],
    ['ßßßß', undefined],
    ['12345*', undefined],
  ]);
});

test('a key is the same however it was typed, and a parsed key is parsed to itself', () => {
  const digits = fc
    .array(fc.constantFrom(...Array.from('0123456789ABCDEFXYZ')), { minLength: 4, maxLength: 32 })
    .filter(([first, second]) => `${first}${second}` !== '0X');
  const separators = fc.constantFrom('', ' ', ':', '-', '.');
  fc.assert(
    fc.property(
      digits,
      separators,
      fc.boolean(),
      fc.constantFrom('', 'Tag:', 'Card:'),
      (letters, between, low, prefix) => {
        const number = letters.join('');
        // The text before the first colon can be the kind.
        const typed = `${prefix === '' ? 'Tag:' : prefix}${letters.join(between)}`;
        const key = valueOf(parseKey(low ? typed.toLowerCase() : typed));
        assert.deepEqual(key, { kind: prefix === 'Card:' ? 'Card' : 'Tag', number });
        assert.deepEqual(valueOf(parseKey(`${key.kind}:${key.number}`)), key);
      },
    ),
  );
});
