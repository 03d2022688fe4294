// The first line of a backup, which says how the rest is read: the version of the format, and the encryption with its salt.

import { CopyError } from '../../../../sqlite-follower/copy-error.ts';

/** Changes with the format. */
const formatVersion = 1;

/** Longer than any first line. */
export const maxPreludeBytes = 128;

/** The word with which a file begins, and what is said of a file that begins otherwise. */
export type ContainerFormat = { readonly name: string; readonly missing: string };

export const backupFormat: ContainerFormat = { name: 'portal-backup', missing: 'is no backup of this service' };
export const copyFormat: ContainerFormat = { name: 'portal-copy', missing: 'is no file of a copy' };
const encryptionName = 'aes-256-gcm';

/** The salt from which, with a key file, the key of this one backup is derived; undefined where it is not encrypted. */
type Prelude = { readonly salt: Uint8Array | undefined };

export const formatPrelude = ({ salt }: Prelude, { name } = backupFormat): string =>
  `${name} ${formatVersion} ${
    salt === undefined ? 'plain' : `${encryptionName} ${Buffer.from(salt).toString('base64url')}`
  }\n`;

/** Takes the line without its end. */
export function parsePrelude(line: string, format: ContainerFormat): Prelude {
  const [name, version = '', encryption, salt = '', ...rest] = line.split(' ');
  if (name !== format.name || !/^\d{1,9}$/.test(version)) throw new CopyError(format.missing);
  if (version !== String(formatVersion))
    throw new CopyError(`has version ${version} of the format: this version of the service reads ${formatVersion}`);
  const prelude = { salt: encryption === 'plain' ? undefined : Buffer.from(salt, 'base64url') };
  const isSpelledRight = rest.length === 0 && formatPrelude(prelude, format) === `${line}\n`;
  if (!isSpelledRight) throw new CopyError('is damaged in its first line');
  return prelude;
}

/** Whether a file begins as a backup does. */
export const isBackupBeginning = (text: string): boolean => text.startsWith(`${backupFormat.name} `);
