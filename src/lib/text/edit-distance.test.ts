// The number of typing errors between two words, against a definition by search.

// cspell:ignore autid legder xyzzy
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { editDistance } from './edit-distance.ts';

/** Every word that one typing error makes of a word over these letters. */
const neighboursOf = (word: string): string[] => {
  const positions = Array.from({ length: word.length + 1 }, (_, index) => index);
  return positions.flatMap((at) => [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
    ...['a', 'b'].flatMap((letter) => [
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + letter + word.slice(at + 1),
    ]),
  ]);
};

test('words at a distance of at most one are a word and its neighbours', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (from, to) => {
      assert.equal(editDistance(from, to) <= 1, from === to || neighboursOf(from).includes(to));
      assert.equal(editDistance(from, to), editDistance(to, from));
    }),
  );
});

test('letters that are exchanged, missing or wrong are one typing error each', () => {
  const cases = [
    ['ledger', 'legder', 1],
    ['list', 'lst', 1],
    ['audit', 'autid', 2],
    ['serve', 'xyzzy', 5],
    ['', 'abc', 3],
  ] as const;
  for (const [from, to, expected] of cases) assert.equal(editDistance(from, to), expected, `${from} ${to}`);
});
