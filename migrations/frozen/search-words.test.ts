// The values that databases got from migrations 0017 and 0022.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldEmail, formatSortKey, listSearchWords } from './search-words.ts';

test('texts have the words that the migrations stored', () => {
  const table: [texts: string[], words: string[]][] = [
    [
      ['Ærø Straße-7 ', 'ÅSE'],
      ['aero', 'strasse-7', 'strasse', '7', 'ase'],
    ],
    [['ada.l@Example.org'], ['ada.l@example.org', 'ada', 'l', 'example', 'org']],
    [['Þórður Łódź đ ı œ Ⓐ ﬁn'], ['thordur', 'lodz', 'd', 'i', 'oe', 'a', 'fin']],
    [['2.\u00A0tv\t2.'], ['2.', '2', 'tv']],
    [['', ' \u00A0\t'], []],
    [['x'.repeat(100)], ['x'.repeat(64)]],
    [
      ['1042', 'r1042'],
      ['1042', 'r1042'],
    ],
  ];
  for (const [texts, words] of table) assert.deepEqual(listSearchWords(texts), words);
});

test('texts have the sort keys that the migrations stored', () => {
  const table: [text: string, key: string][] = [
    [' Åse Ærø 2', 'ase aero 000000002'],
    ['010. right', '000000010. right'],
    ['000', '000000000'],
    ['1234567890', '1234567890'],
    ['', ''],
    ['1 '.repeat(200), '000000001 '.repeat(10)],
  ];
  for (const [text, key] of table) assert.equal(formatSortKey(text), key, text);
});

test('email addresses have the keys that the migrations stored', () => {
  assert.equal(foldEmail('Ada@Bücher.EXAMPLE'), 'ada@xn--bcher-kva.example');
  assert.equal(foldEmail('A@b@Example.org'), 'a@b@example.org');
  assert.equal(foldEmail('Ada@not a domain'), 'ada@not a domain');
});
