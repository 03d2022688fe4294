// Formats and parses the API keys of services: `kt_`, the service's number, `_`, 256 random bits, and a checksum. A
// program that looks for leaked keys recognises them by the checksum (docs/service-keys.md).

import {
  checksummedSecretPattern,
  formatChecksummedSecret,
  hasRightChecksum,
} from '../../../lib/values/checksummed-secret.ts';

const apiKeyPrefix = 'kt_';

export const apiKeyPattern = String.raw`kt_[1-9][0-9]{0,2}_${checksummedSecretPattern}`;

const wholeKey = new RegExp(`^${apiKeyPattern}$`);

export const formatApiKey = (serviceId: number, random: Buffer): string =>
  formatChecksummedSecret(`${apiKeyPrefix}${serviceId}_`, random);

/** Whether a text has the form of a key, whatever its checksum is. Tokens of sessions are shorter. */
export const isApiKeyShaped = (text: string): boolean => wholeKey.test(text);

/** The number of the service whose key this looks like; undefined for a text that is not a key of this API. */
export const parseApiKey = (text: string): number | undefined =>
  wholeKey.test(text) && hasRightChecksum(text)
    ? Number(text.slice(apiKeyPrefix.length, text.lastIndexOf('_')))
    : undefined;
