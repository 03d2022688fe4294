// Folds texts for searching and sorting: without case and accents, and the same on every database. Search finds words by
// their beginning.

import { kidLetterOf, type KidType } from '../kid.ts';

// In code points. Longer words are found by their first ones.
const maxWordLength = 64;
const maxSortKeyLength = 100;

/** Letters that Unicode (NFKD) does not split into a letter and a mark, as people type them on other keyboards. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ß: 'ss',
};
const plainLetterPattern = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/** `Ærøskøbing` -> `aeroskobing`. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    // The result may have upper-case letters again, such as one out of a circle.
    .toLowerCase()
    .replaceAll(plainLetterPattern, (letter) => plainLetters[letter] ?? letter);

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

/** The words by which a text is found: those between spaces, and the letters and digits between other characters. */
export function listSearchWords(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const whole of texts.flatMap(splitAtSpaces)) {
    words.add(cut(whole, maxWordLength));
    for (const part of whole.match(/[\p{L}\p{N}]+/gu) ?? []) words.add(cut(part, maxWordLength));
  }
  return [...words];
}

/** The words of an id, also as the KID of its object ends: `1001` and `m1001`. */
export const listIdWords = (type: KidType, id: number): string[] => [`${id}`, wordOfId(type, id)];

const wordOfId = (type: KidType, id: number | string): string => `${kidLetterOf(type).toLowerCase()}${id}`;

/** The beginnings of words that a search asks for. Each has to be found. */
export const listSearchPrefixes = (filter: string): string[] => [
  ...new Set(splitAtSpaces(filter).map((word) => cut(word, maxWordLength))),
];

const splitAtSpaces = (text: string): string[] =>
  foldText(text)
    .split(/[\p{White_Space}\p{Cc}]+/u)
    .filter((word) => word !== '');

/** Words from `from` on, before `to`, in the order of code points. */
type WordRange = { readonly from: string; readonly to: string };

/** A row has to have a word of each range of one of the alternatives. Without alternatives, nothing is searched for. */
export type WordSearch = readonly (readonly WordRange[])[];

/** The KIDs that a filter may name: those of a type under the KID of what they belong to. */
export type SearchedKids = { readonly type: KidType; readonly parentKid: string };

export function parseWordSearch(filter: string, kids: SearchedKids): WordSearch {
  const ranges = listSearchPrefixes(filter).map((prefix) => rangeOfKid(prefix, kids) ?? rangeOfPrefix(prefix));
  return ranges.length === 0 ? [] : [ranges];
}

/** A KID is found as a whole: `sund-M1001` is only the word `m1001`. Undefined if the prefix is none. */
export function rangeOfKid(prefix: string, { type, parentKid }: SearchedKids): WordRange | undefined {
  const start = `${parentKid.toLowerCase()}-${wordOfId(type, '')}`;
  const id = prefix.startsWith(start) ? prefix.slice(start.length) : '';
  return /^\d+$/.test(id) ? rangeOfWord(wordOfId(type, id)) : undefined;
}

/** The words that begin with a prefix. */
export const rangeOfPrefix = (prefix: string): WordRange => ({ from: prefix, to: `${prefix}\u{10FFFF}` });

/** One word. None has a character below this one; MariaDB compares texts as if spaces followed them. */
const rangeOfWord = (word: string): WordRange => ({ from: word, to: `${word}!` });

/**
 * A text by which a database sorts as people do: folded, and numbers by their value (`2. left` before `10. left`), as far
 * as they have at most nine digits.
 */
export const formatSortKey = (text: string): string =>
  cut(
    foldText(text)
      .trim()
      .replaceAll(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(9, '0')),
    maxSortKeyLength,
  );
