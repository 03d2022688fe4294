// Folds texts for searching and sorting: without case and accents, and the same on every database. Search finds words by
// their beginning.

// In code points. Longer words are found by their first ones.
const maxWordLength = 64;
const maxSortKeyLength = 100;

/** Letters that Unicode does not take apart into a letter and a mark (NFKD), as people type them without their keyboard. */
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
    // What was taken apart may be an upper-case letter, such as the one in a circle.
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

/** The beginnings of words that a search asks for. Each has to be found. */
export const listSearchPrefixes = (filter: string): string[] => [
  ...new Set(splitAtSpaces(filter).map((word) => cut(word, maxWordLength))),
];

const splitAtSpaces = (text: string): string[] =>
  foldText(text)
    .split(/[\p{White_Space}\p{Cc}]+/u)
    .filter((word) => word !== '');

/** Words from `from` on, before `to`, in the order of code points. */
export type WordRange = { readonly from: string; readonly to: string };

/** The words that begin with a prefix. */
export const rangeOfPrefix = (prefix: string): WordRange => ({ from: prefix, to: `${prefix}\u{10FFFF}` });

/** One word. None has a character below this one; MariaDB compares texts as if spaces followed them. */
export const rangeOfWord = (word: string): WordRange => ({ from: word, to: `${word}!` });

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
