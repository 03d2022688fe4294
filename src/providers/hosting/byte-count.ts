// Counts of bytes, exact over unsigned 64 bits: they stay texts of decimal digits.

import { HostingSourceError } from './hosting.ts';

const maxByteCount = 2n ** 64n - 1n;

/** The text itself. Throws HostingSourceError where it is no unsigned 64-bit number in decimal digits. */
export function requireByteCount(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value) || BigInt(value) > maxByteCount)
    throw new HostingSourceError('a count of bytes that is none');
  return value;
}
