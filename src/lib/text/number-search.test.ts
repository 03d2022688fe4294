// Checks which ranges of words a filter selects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactNumber, parseNumberSearch } from './number-search.ts';

const kids = { type: 'user', parentKid: 'sund-B1001' } as const;
const end = '\u{10FFFF}';
const prefix = (from: string) => ({ from, to: `${from}${end}` });

test('a filter without words searches for nothing', () => {
  for (const filter of ['', ' ', '\t\n']) assert.deepEqual(parseNumberSearch(filter, kids), []);
});

test('each word of a filter must begin a word, without regard to case and accents', () => {
  const table: [filter: string, prefixes: string[]][] = [
    ['Ada', ['ada']],
    ['  Åse   LUND ', ['ase', 'lund']],
    ['Ærø Straße', ['aero', 'strasse']],
    ['ada ADA', ['ada']],
    ['o’brien@example', ['o’brien@example']],
    ['2. tv', ['2.', 'tv']],
    ['1042', ['1042']],
    ['r1042', ['r1042']],
    ['x'.repeat(100), ['x'.repeat(64)]],
  ];
  for (const [filter, prefixes] of table)
    assert.deepEqual(parseNumberSearch(filter, kids), [prefixes.map(prefix)], filter);
});

test('the KID of a resident of the bank is one word', () => {
  for (const filter of ['sund-B1001-R1042', 'SUND-b1001-r1042'])
    assert.deepEqual(parseNumberSearch(filter, kids), [[{ from: 'r1042', to: 'r1042!' }]]);
  assert.deepEqual(parseNumberSearch('sund-b1002-r1042', kids)[0], [prefix('sund-b1002-r1042')]);
});

test('a number is searched as it was typed, and as one word without the separators between its digits', () => {
  const table: [filter: string, digits: string[]][] = [
    ['12 34 56', ['123456']],
    ['+45 12 34', ['451234']],
    ['0045 1234', ['00451234', '451234']],
    ['000-0012', ['0000012', '00012']],
    ['04:A2:1b', ['04a21b']],
    ['(0171) 23-45', ['01712345', '1712345']],
    ['0x04A21B33', ['04a21b33']],
    ['0X04:A2', ['0x04a2']],
    ['0x04 A2 1', ['0x04a21', '04a21']],
    ['0xZ4A21', []],
    ['12345', []],
    ['DE1001A1003', []],
    ['0123', []],
    ['012345', ['12345']],
    ['1234', []],
    ['12 34 x', ['1234x']],
    ['Ada Lund', []],
  ];
  for (const [filter, digits] of table) {
    const [words, ...phones] = parseNumberSearch(filter, kids);
    assert.ok(words !== undefined && words.length > 0);
    assert.deepEqual(
      phones,
      digits.map((each) => [prefix(each)]),
      filter,
    );
  }
});

test('a phone number is compact without any of its separators, and so are its digits', () => {
  for (const phone of ['000-9001', '+45 12 34 56 78', '(0171) 23/45.6'])
    assert.equal(compactNumber(phone), phone.replaceAll(/\D/g, ''));
});
