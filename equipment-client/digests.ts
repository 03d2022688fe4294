// Digests of the lists that a computer has. The service compares them with those of its own lists: a version alone
// cannot show that a list has drifted.

import { createHash } from 'node:crypto';

export type Digests = Readonly<Record<'keys' | 'settings' | 'hours' | 'bookings', string>>;

/** What an entry of a list says, without the version at which it came. */
type Entry = Readonly<Record<string, unknown>>;

/** Members in the order of their names, no white space. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** The canonical JSON of an entry: what is stored, compared and summed up. */
export function formatEntry({ v: _version, revision: _revision, ...entry }: Entry): string {
  return canonicalJson(entry);
}

/** The first 8 bytes of the SHA-256 of each entry, added modulo 2^64: the order of the entries does not count. */
export function digestOf(entries: Iterable<string>): string {
  let sum = 0n;
  for (const entry of entries) sum += createHash('sha256').update(entry).digest().readBigUInt64BE();
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0');
}

/** A booking counts if it holds and has not ended at `sentAtMs`. */
export function countsForDigest(booking: string, sentAtMs: number): boolean {
  const { state, to } = JSON.parse(booking) as { readonly state?: string; readonly to?: string };
  return state === 'Booked' && Date.parse(to ?? '') > sentAtMs;
}
