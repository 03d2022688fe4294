// Finds the house number in an address as people write it, and compares streets.

const houseNumberPattern = /^\d{1,5}\p{L}?(?:[-/]\d{1,5}\p{L}?)?$/u;
// Precedes the street in English addresses, with a number of its own.
const dwellingPattern = /^(?:apartment|apt|flat|floor|room|suite|unit)\b/i;

type StreetAddress = {
  readonly street: string;
  /** Undefined if the address has no house number, like that of a street or of a place known by its name. */
  readonly houseNumber: string | undefined;
};

/** Reads `Alder Lane 2 B, 1st floor` as well as `Flat 3, 10 Alder Lane`. */
export function readStreetAddress(address: string): StreetAddress {
  const parts = address.split(',').map((part) => part.trim());
  const line = parts.find((part) => part !== '' && !dwellingPattern.test(part)) ?? address.trim();
  const words = line.split(/\s+/u);
  // Before the street in English, after it elsewhere.
  const index = words.length > 1 ? words.findIndex((word) => houseNumberPattern.test(word)) : -1;
  const number = words[index];
  if (number === undefined) return { street: line, houseNumber: undefined };
  const hasLetterApart = index === words.length - 2 && index > 0 && /^\p{L}$/u.test(words[index + 1] ?? '');
  const street = index === 0 ? words.slice(1) : words.slice(0, index);
  const letter = hasLetterApart ? (words[index + 1] ?? '') : '';
  return { street: street.join(' '), houseNumber: normalizeHouseNumber(number + letter) };
}

export const normalizeHouseNumber = (houseNumber: string): string => houseNumber.replaceAll(/\s/gu, '').toLowerCase();

const spellings: readonly [letter: RegExp, spelling: string][] = [
  [/[åÅ]/gu, 'aa'],
  [/[æÆäÄ]/gu, 'ae'],
  [/[øØöÖ]/gu, 'oe'],
  [/[üÜ]/gu, 'ue'],
  [/[ðÐ]/gu, 'd'],
  [/[þÞ]/gu, 'th'],
  [/[ßẞ]/gu, 'ss'],
];

/** The words of a name, independent of the spelling of its letters. */
function wordsOf(name: string): string[] {
  let text = name.normalize('NFC');
  for (const [letter, spelling] of spellings) text = text.replaceAll(letter, spelling);
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

export const isSamePlaceName = (a: string, b: string): boolean => wordsOf(a).join(' ') === wordsOf(b).join(' ');

const comparedLetters = 4;
const abbreviatedLetters = 3;

/**
 * The longest word of one street must begin like a word of the other one: `Gl. Kongevej` is `Gammel Kongevej`. This
 * only refuses candidates that a provider found merely by number and postal code.
 */
export function resemblesStreet(asked: string, found: string): boolean {
  const [longest = ''] = wordsOf(asked).toSorted((a, b) => b.length - a.length);
  const begin = longest.slice(0, comparedLetters);
  return wordsOf(found).some(
    (word) =>
      word.startsWith(begin) ||
      (word.length >= abbreviatedLetters && longest.startsWith(word.slice(0, comparedLetters))),
  );
}
