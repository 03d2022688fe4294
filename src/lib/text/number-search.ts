// Searches by words, or by a number: of a phone or of a key, with the separators that people type.

import { foldText, listSearchPrefixes, parseWordSearch, rangeOfKid, rangeOfPrefix } from './search-words.ts';
import type { SearchedKids, WordSearch } from './search-words.ts';

/** Shorter numbers are searched only as they are typed. */
const minNumberLength = 5;

/** A number as it is stored for searching, and as a filter asks for it: `(00) 12-34` -> `001234`. */
export const compactNumber = (text: string): string => foldText(text).replaceAll(/[\s:()./+-]/g, '');

export function parseNumberSearch(filter: string, kids: SearchedKids): WordSearch {
  const prefixes = listSearchPrefixes(filter);
  const search = parseWordSearch(filter, kids);
  if (prefixes.some((prefix) => rangeOfKid(prefix, kids) !== undefined)) return search;
  const numbers = listNumberPrefixes(filter).filter((number) => prefixes.length > 1 || number !== prefixes[0]);
  return [...search, ...numbers.map((number) => [rangeOfPrefix(number)])];
}

/**
 * Numbers as they are stored: keys without 0x, phone numbers without + or 00 before the code of the country, and without
 * the 0 that some countries put before a number without one.
 */
function listNumberPrefixes(filter: string): string[] {
  const number = compactNumber(filter);
  if (!/^[a-z\d]*\d[a-z\d]*$/.test(number)) return [];
  const shorter = [/^00?(?=\d+$)/, hexPrefix].filter((prefix) => prefix.test(number));
  return [...new Set([number, ...shorter.map((prefix) => number.replace(prefix, ''))])].filter(
    (each) => each.length >= minNumberLength,
  );
}

/** What some readers write before the hexadecimal number of a key, which is the same number without it. */
export const hexPrefix = /^0x(?=[\da-f]+$)/i;
