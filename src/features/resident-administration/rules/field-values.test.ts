// Checks which values each field of a resident accepts.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEmail, parseName, type FieldResult } from '../../../lib/field-values.ts';
import { parseKey } from '../../residents/rules/resident-key.ts';
import { parseApartment, parseLanguage, parsePhone, parsePin } from './field-values.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const valueOf = <T>(result: FieldResult<T>): T | undefined => ('value' in result ? result.value : undefined);

function assertTable<T>(parse: (text: string) => FieldResult<T>, table: readonly (readonly [string, T | undefined])[]) {
  for (const [text, expected] of table) {
    const result = parse(text);
    assert.deepEqual(valueOf(result), expected, JSON.stringify(text));
    if ('reason' in result) assert.match(result.reason, /^must (?:be|have|not) /, text);
  }
}

test('a name has 1 to 200 characters, trimmed and composed, and no controls', () => {
  assertTable(parseName, [
    ['Ada', 'Ada'],
    ['  Ada Lund ', 'Ada Lund'],
    ['A\u030Asa', 'Åsa'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['😀'.repeat(200), '😀'.repeat(200)],
    ['x'.repeat(201), undefined],
    ['😀'.repeat(201), undefined],
    ['', undefined],
    [' \u00A0 ', undefined],
    ['a\tb', undefined],
    ['a\nb', undefined],
    ['a\0b', undefined],
    ['a\u0085b', undefined],
    ['a\u2028b', undefined],
    ['a\uD800b', undefined],
  ]);
});

test('an apartment may be empty, and has at most 64 characters', () => {
  assertTable(parseApartment, [
    ['', ''],
    [' 2. tv ', '2. tv'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), undefined],
    ['a\rb', undefined],
  ]);
});

test('a language is one of the portal’s', () => {
  for (const text of ['en', 'da', 'de']) assert.equal(valueOf(parseLanguage(text)), text);
  for (const text of ['', 'EN', 'xx', 'en-GB', ' en', 'constructor'])
    assert.equal(valueOf(parseLanguage(text)), undefined);
});

const domainOf = (octets: number): string => {
  const labels = [];
  for (let left = octets; left > 0; left -= 64) labels.push('d'.repeat(Math.min(63, left)));
  return labels.join('.');
};

test('an email address has the lengths of RFC 5321: 64 octets before the @, 254 in all, 63 of a label', () => {
  const local = 'l'.repeat(64);
  assertTable(parseEmail, [
    ['', ''],
    [' ada@example.org ', 'ada@example.org'],
    ['Ada.Lund+wash@Example.ORG', 'Ada.Lund+wash@Example.ORG'],
    [`${local}@example.org`, `${local}@example.org`],
    [`${local}l@example.org`, undefined],
    [`${'é'.repeat(32)}@example.org`, `${'é'.repeat(32)}@example.org`],
    [`${'é'.repeat(33)}@example.org`, undefined],
    [`${local}@${domainOf(189)}`, `${local}@${domainOf(189)}`],
    [`${local}@${domainOf(190)}`, undefined],
    [`a@${'d'.repeat(63)}.org`, `a@${'d'.repeat(63)}.org`],
    [`a@${'d'.repeat(64)}.org`, undefined],
    ['ada@bücher.example', 'ada@bücher.example'],
    ["o'brien@example.org", "o'brien@example.org"],
  ]);
});

test('a text that is not an email address is refused', () => {
  const wrong = ['ada', '@', 'ada@', '@example.org', 'ada@example', 'ada@@example.org', 'a b@example.org'];
  const dots = ['.ada@example.org', 'ada.@example.org', 'a..b@example.org', 'ada@.org', 'ada@example..org'];
  const literals = ['"a b"@example.org', 'ada@[127.0.0.1]', 'ada@-example.org', 'ada@example-.org', 'ada@exa mple.org'];
  const injected = ['ada@example.org\r\nBcc: eve@example.org', 'ada@example.org,eve@example.org', '<ada@example.org>'];
  for (const text of [...wrong, ...dots, ...literals, ...injected, 'ada@exam_ple.org', 'a\0@example.org'])
    assert.equal(valueOf(parseEmail(text)), undefined, text);
});

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

test('a key is a tag, or a card if it says so, of 4 to 32 letters and digits, whatever separates them', () => {
  const tag = (number: string) => ({ kind: 'Tag' as const, number });
  const card = (number: string) => ({ kind: 'Card' as const, number });
  assertTable(parseKey, [
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

test('a PIN has 4 to 8 digits, or is removed', () => {
  assertTable(parsePin, [
    ['', ''],
    ['4711', '4711'],
    ['90817263', '90817263'],
    ['1243', '1243'],
    ['1221', '1221'],
    ['12345679', '12345679'],
    ['123', undefined],
    ['123456789', undefined],
    ['12a4', undefined],
    [' 4711', undefined],
    ['4711\n', undefined],
    ['٤٧١١', undefined],
  ]);
});

test('four-digit PINs that everybody tries first are refused', () => {
  const refused: string[] = [];
  for (let number = 0; number < 10_000; number += 1) {
    const pin = String(number).padStart(4, '0');
    const [a = 0, b = 0, c = 0, d = 0] = Array.from(pin, Number);
    const steps = [b - a, c - b, d - c].join();
    // A row may end or begin at the zero after the nine.
    const isRow = ['1,1,1', '1,1,-9', '-1,-1,-1', '9,-1,-1'].includes(steps);
    const isRefused = 'reason' in parsePin(pin);
    assert.equal(isRefused, (a === c && b === d) || isRow, pin);
    if (isRefused) refused.push(pin);
  }
  assert.equal(refused.length, 116);
  for (const pin of ['0000', '1111', '1234', '4321', '1212', '7890', '0987']) assert.ok(refused.includes(pin), pin);
  for (const pin of ['00000000', '12345678', '121212', '12121', '87654321']) assert.ok('reason' in parsePin(pin), pin);
});

test('no text makes a field throw, and an accepted value is accepted again unchanged', () => {
  const parsers = [parseName, parseApartment, parseEmail, parsePin, (text: string) => phoneText(text)];
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 300 }), fc.constantFrom(...parsers), (text, parse) => {
      const value = valueOf(parse(text));
      if (value !== undefined) assert.equal(valueOf(parse(value)), value);
    }),
    { numRuns: 2000 },
  );
});

function phoneText(text: string): FieldResult {
  const result = parsePhone(text, 'DK');
  return 'value' in result ? { value: result.value.typed } : result;
}
