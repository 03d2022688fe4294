// Folding, words and sort keys: tables, and the order of code points as databases compare.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  foldText,
  formatSortKey,
  listIdWords,
  listSearchPrefixes,
  listSearchWords,
  parseWordSearch,
  rangeOfPrefix,
} from './search-words.ts';

test('texts are folded: without case and accents, and with plain letters for those such as æ and ø', () => {
  const table: [text: string, folded: string][] = [
    ['Ærøskøbing', 'aeroskobing'],
    ['ÅSE', 'ase'],
    ['Þórður Æ.', 'thordur ae.'],
    ['Łódź', 'lodz'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['İzmir', 'izmir'],
    ['ﬁn', 'fin'],
    ['Ⓐ', 'a'],
    ['e\u0301', 'e'],
    ['', ''],
  ];
  for (const [text, folded] of table) assert.equal(foldText(text), folded, text);
});

test('the words of a text are those between spaces, and the letters and digits of each', () => {
  assert.deepEqual(listSearchWords(['Demo  Resident-7', 'ada.l@example.org']), [
    'demo',
    'resident-7',
    'resident',
    '7',
    'ada.l@example.org',
    'ada',
    'l',
    'example',
    'org',
  ]);
  assert.deepEqual(listSearchWords(['', ' \u00A0\t']), []);
  assert.equal(listSearchWords(['x'.repeat(100)])[0], 'x'.repeat(64));
});

test('every word of a text, and every beginning of one, is found by its prefix in the order of code points', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, cut) => {
      const words = listSearchWords([text]);
      for (const word of words) {
        const points = Array.from(word);
        const prefix = points.slice(0, 1 + (cut % points.length)).join('');
        const [low, high] = [Buffer.from(prefix), Buffer.from(rangeOfPrefix(prefix).to)];
        const bytes = Buffer.from(word);
        assert.ok(Buffer.compare(low, bytes) <= 0 && Buffer.compare(bytes, high) < 0, `${prefix} ${word}`);
      }
      for (const prefix of listSearchPrefixes(text)) assert.ok(words.includes(prefix), prefix);
    }),
  );
});

test('a search asks for a word of each beginning, and a KID asks for the word of its id only', () => {
  const managers = { type: 'manager', parentKid: 'sund' } as const;
  const residents = { type: 'user', parentKid: 'sund-B1001' } as const;
  assert.deepEqual(parseWordSearch(' \t', managers), []);
  assert.deepEqual(parseWordSearch('Åse 12', managers), [[rangeOfPrefix('ase'), rangeOfPrefix('12')]]);
  for (const filter of ['sund-M1001', 'SUND-m1001'])
    assert.deepEqual(parseWordSearch(`ada ${filter}`, managers), [
      [rangeOfPrefix('ada'), { from: 'm1001', to: 'm1001!' }],
    ]);
  assert.deepEqual(parseWordSearch('sund-b1001-r1042', residents), [[{ from: 'r1042', to: 'r1042!' }]]);
  for (const filter of ['sund-b1001-r', 'sund-b1001-r10x', 'sund-b1002-r1042', 'sund-b100', 'sund-m1001'])
    assert.deepEqual(parseWordSearch(filter, residents), [[rangeOfPrefix(filter)]], filter);
});

test('the word that a KID asks for is among the words of its id', () => {
  assert.deepEqual(listIdWords('manager', 1001), ['1001', 'm1001']);
  assert.deepEqual(listIdWords('installer', 2001), ['2001', 'i2001']);
  assert.deepEqual(listIdWords('user', 1042), ['1042', 'r1042']);
});

test('sort keys put numbers in the order of their values', () => {
  const sorted = ['1. left', '2. left', '10. left', '010. right', 'Ågade 3', 'B 1', 'b 02', 'B 10'];
  const shuffled = sorted.toSorted((a, b) => b.length - a.length);
  const byKey = shuffled.toSorted((a, b) =>
    Buffer.compare(Buffer.from(formatSortKey(a)), Buffer.from(formatSortKey(b))),
  );
  assert.deepEqual(byKey, sorted);
  assert.equal(Array.from(formatSortKey('1 '.repeat(200))).length, 100);
});
