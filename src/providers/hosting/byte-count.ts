// Checks counts of bytes, which are exact unsigned 64-bit numbers: they stay texts of decimal digits.

import { HostingSourceError } from './hosting.ts';

const maxByteCount = 2n ** 64n - 1n;

/** Returns the text itself. Throws HostingSourceError if it is not an unsigned 64-bit number in decimal digits. */
export function requireByteCount(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value) || BigInt(value) > maxByteCount)
    throw new HostingSourceError('the count of bytes is not an unsigned 64-bit number');
  return value;
}
