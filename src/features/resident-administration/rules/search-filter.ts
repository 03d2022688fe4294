// Turns the filter of a list of residents into ranges of words.

import {
  foldText,
  listSearchPrefixes,
  parseWordSearch,
  rangeOfKid,
  rangeOfPrefix,
  type WordSearch,
} from '../../../lib/search-words.ts';

/** Shorter numbers are searched only as they are typed. */
const minNumberLength = 5;

/** Searches by words, or by a number that is typed in parts. `bankKid` is the bank's KID. */
export function parseResidentSearch(filter: string, bankKid: string): WordSearch {
  const kids = { type: 'user', parentKid: bankKid } as const;
  const prefixes = listSearchPrefixes(filter);
  const search = parseWordSearch(filter, kids);
  if (prefixes.some((prefix) => rangeOfKid(prefix, kids) !== undefined)) return search;
  const numbers = listNumberPrefixes(filter).filter((number) => prefixes.length > 1 || number !== prefixes[0]);
  return [...search, ...numbers.map((number) => [rangeOfPrefix(number)])];
}

/**
 * Numbers without the separators that people type: keys with colons, phone numbers with spaces, with + or 00 before the
 * code of the country, or with the 0 that some countries put before a number without one.
 */
function listNumberPrefixes(filter: string): string[] {
  const number = foldText(filter).replaceAll(/[\s:()./+-]/g, '');
  if (!/^[a-z\d]*\d[a-z\d]*$/.test(number)) return [];
  const shorter = /^0\d+$/.test(number) ? [number.replace(/^00?/, '')] : [];
  return [...new Set([number, ...shorter])].filter((each) => each.length >= minNumberLength);
}
