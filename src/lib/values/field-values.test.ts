// Checks which names and email addresses are accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertParsed, assertStable, valueOf } from '../../../test/support/field-results.ts';
import { parseEmail, parseName } from './field-values.ts';

test('a name has 1 to 200 characters, trimmed and composed, and no controls', () => {
  assertParsed(parseName, [
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

const domainOf = (octets: number): string => {
  const labels = [];
  for (let left = octets; left > 0; left -= 64) labels.push('d'.repeat(Math.min(63, left)));
  return labels.join('.');
};

test('an email address has the lengths of RFC 5321: 64 octets before the @, 254 in all, 63 of a label', () => {
  const local = 'l'.repeat(64);
  assertParsed(parseEmail, [
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

test('no text makes a field throw, and an accepted value is accepted again unchanged', () => {
  for (const parse of [parseName, parseEmail]) assertStable(parse);
});
