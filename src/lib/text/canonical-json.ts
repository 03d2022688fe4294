// Writes a value as the one JSON text that all writers agree on: members sorted by name, without white space (as RFC 8785
// for texts, integers and decimals of few digits).

import { isExactNumber } from '../values/int64.ts';

const noNames: ReadonlySet<string> = new Set();

/** Formats a value without the members of these names, at any depth. */
export function formatCanonicalJson(value: unknown, omitted: ReadonlySet<string> = noNames): string {
  if (Array.isArray(value)) return `[${value.map((each) => formatCanonicalJson(each, omitted)).join(',')}]`;
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([name]) => !omitted.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${formatCanonicalJson(member, omitted)}`);
  return `{${members.join(',')}}`;
}
