// Formats and recognises the keys of computers: `ke_`, 256 bits that nobody can guess, and a checksum. The database stores
// only their SHA-256, which is enough for what cannot be guessed.

import { hash } from 'node:crypto';
import {
  checksummedSecretPattern,
  formatChecksummedSecret,
  hasRightChecksum,
} from '../../../lib/values/checksummed-secret.ts';

const computerKeyPrefix = 'ke_';

export const computerKeyPattern = `${computerKeyPrefix}${checksummedSecretPattern}`;

const wholeKey = new RegExp(`^${computerKeyPattern}$`);

export const formatComputerKey = (secret: Buffer): string => formatChecksummedSecret(computerKeyPrefix, secret);

/** Whether a text is a key of this API; most others are recognised without a database. */
export const isComputerKey = (text: string): boolean => wholeKey.test(text) && hasRightChecksum(text);

/** Hashes a key or an enrolment code as it is stored. */
export const hashComputerSecret = (secret: string): string => hash('sha256', secret, 'hex');
