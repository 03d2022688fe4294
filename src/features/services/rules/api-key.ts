// Formats and parses the API keys of services: `kt_`, the service's number, `_`, 256 random bits, and a checksum. A
// program that looks for leaked keys recognises them by the checksum (docs/service-keys.md).

import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const apiKeySecretBytes = 32;
/** As many digits as 256 and 32 bits need. */
const secretLength = 43;
const checksumLength = 6;

const apiKeyPrefix = 'kt_';

export const apiKeyPattern = String.raw`kt_[1-9][0-9]{0,2}_[0-9A-Za-z]{49}`;

const wholeKey = new RegExp(`^${apiKeyPattern}$`);

export function formatApiKey(serviceId: number, secretBytes: Buffer): string {
  const secret = toBase62(BigInt(`0x${secretBytes.toString('hex')}`), secretLength);
  const unchecked = `${apiKeyPrefix}${serviceId}_${secret}`;
  return unchecked + checksumOf(unchecked);
}

/** Whether a text has the form of a key, whatever its checksum is. Tokens of sessions are shorter. */
export const isApiKeyShaped = (text: string): boolean => wholeKey.test(text);

/** The number of the service whose key this looks like; undefined for a text that is not a key of this API. */
export function parseApiKey(text: string): number | undefined {
  if (!wholeKey.test(text)) return undefined;
  const unchecked = text.slice(0, -checksumLength);
  if (text.slice(-checksumLength) !== checksumOf(unchecked)) return undefined;
  return Number(unchecked.slice(apiKeyPrefix.length, unchecked.lastIndexOf('_')));
}

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), checksumLength);

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}
