// Turns the filter of a list of residents into ranges of words.

import { foldText, listSearchPrefixes, rangeOfPrefix, rangeOfWord, type WordRange } from '../../../lib/search-words.ts';

/** A resident has to have a word of each range of one of the alternatives. */
export type ResidentSearch = readonly (readonly WordRange[])[];

/** Shorter ones are found as they are typed. */
const minNumberLength = 5;

/** Undefined searches for nothing. `bankKid` is the bank's. */
export function parseResidentSearch(filter: string, bankKid: string): ResidentSearch | undefined {
  const prefixes = listSearchPrefixes(filter);
  if (prefixes.length === 0) return undefined;
  const ranges = prefixes.map((prefix) => rangeOfKid(prefix, bankKid) ?? rangeOfPrefix(prefix));
  if (prefixes.some((prefix) => rangeOfKid(prefix, bankKid) !== undefined)) return [ranges];
  const numbers = listNumberPrefixes(filter).filter((number) => prefixes.length > 1 || number !== prefixes[0]);
  return [ranges, ...numbers.map((number) => [rangeOfPrefix(number)])];
}

/** The KID of a resident of the bank is found as a whole: `sund-B1001-R1042` is the word `r1042` alone. */
function rangeOfKid(prefix: string, bankKid: string): WordRange | undefined {
  const start = `${bankKid.toLowerCase()}-r`;
  const id = prefix.startsWith(start) ? prefix.slice(start.length) : '';
  return /^\d+$/.test(id) ? rangeOfWord(`r${id}`) : undefined;
}

/**
 * Numbers without what people type between their digits: keys with colons, phone numbers with spaces, with + or 00 before
 * the code of the country, or with the 0 that some countries put before a number without one.
 */
function listNumberPrefixes(filter: string): string[] {
  const number = foldText(filter).replaceAll(/[\s:()./+-]/g, '');
  if (!/^[a-z\d]*\d[a-z\d]*$/.test(number)) return [];
  const shorter = /^0\d+$/.test(number) ? [number.replace(/^00?/, '')] : [];
  return [...new Set([number, ...shorter])].filter((each) => each.length >= minNumberLength);
}
