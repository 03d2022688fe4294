// Writes random bytes as a secret with a checksum: a prefix, 256 random bits, and a CRC-32, all in letters and digits. By
// prefix and checksum a program that looks for leaked secrets recognises one (as with GitHub's tokens).

import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const secretBytes = 32;
/** 256 and 32 bits need so many digits. */
const secretLength = 43;
const checksumLength = 6;

/** What comes after the prefix. */
export const checksummedSecretPattern = `[0-9A-Za-z]{${secretLength + checksumLength}}`;

/** Takes `secretBytes` random bytes. */
export function formatChecksummedSecret(prefix: string, random: Buffer): string {
  const unchecked = prefix + toBase62(BigInt(`0x${random.toString('hex')}`), secretLength);
  return unchecked + checksumOf(unchecked);
}

export const hasRightChecksum = (text: string): boolean =>
  text.slice(-checksumLength) === checksumOf(text.slice(0, -checksumLength));

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), checksumLength);

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}
