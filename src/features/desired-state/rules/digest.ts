// Computes the digests of the lists that a computer keeps: sums over their entries that do not depend on an order. A list
// that has drifted has another one, which a version alone cannot show.

import { hash } from 'node:crypto';
import { formatCanonicalJson } from '../../../lib/text/canonical-json.ts';

export const digestNames = ['keys', 'settings', 'hours', 'bookings'] as const;
export type DigestName = (typeof digestNames)[number];

/** 16 hexadecimal digits each. */
export type Digests = Readonly<Record<DigestName, string>>;

const digestBits = 64;
const digestDigits = digestBits / 4;

/** Computes the digest of the entries of one list. */
export function computeDigest(entries: Iterable<object>): string {
  let sum = 0n;
  for (const entry of entries) sum = BigInt.asUintN(digestBits, sum + entryNumber(entry));
  return sum.toString(16).padStart(digestDigits, '0');
}

/** These members say when an entry was changed, which is no part of what it says. */
const unsigned: ReadonlySet<string> = new Set(['v', 'revision']);

/** The first 64 bits of the SHA-256 of the entry's canonical JSON. */
const entryNumber = (entry: object): bigint =>
  BigInt(`0x${hash('sha256', formatCanonicalJson(entry, unsigned), 'hex').slice(0, digestDigits)}`);
