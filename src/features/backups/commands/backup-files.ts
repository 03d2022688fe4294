// Writes the file of a backup whole or not at all, and reads and removes such files.

import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privateFileMode } from '../../../lib/bytes/file-modes.ts';
import { BackupError } from '../rules/backup-error.ts';
import { isBackupBeginning, maxPreludeBytes } from '../rules/prelude.ts';
import type { Sink } from './write-container.ts';

/** A shorter key could be guessed. */
const minKeyFileBytes = 32;
const maxKeyFileBytes = 1_048_576;

/** Whoever sees the path sees the whole file. Throws BackupError where there is such a file already, unless it is replaced. */
export async function writeBackupFile<T>(
  path: string,
  write: (sink: Sink) => Promise<T>,
  { replaces = false }: { readonly replaces?: boolean } = {},
): Promise<T> {
  if (!replaces) await requireNoFile(path);
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(temporary, 'wx', privateFileMode);
    let written: T;
    try {
      written = await write(async (bytes) => {
        for await (const chunk of bytes) await file.appendFile(chunk);
      });
      await file.sync();
    } finally {
      await file.close();
    }
    if (!replaces) await requireNoFile(path);
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return written;
  } finally {
    await rm(temporary, { force: true });
  }
}

export const writeToStandardOutput: Sink = async (bytes) => {
  for await (const chunk of bytes)
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
};

async function requireNoFile(path: string): Promise<void> {
  const exists = await access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
  if (exists) throw new BackupError('exists already, and is not overwritten');
}

/** So that the new name outlives a loss of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `-` is the standard input. */
export const openBackupSource = (path: string): AsyncIterable<Uint8Array> =>
  path === '-' ? process.stdin : createReadStream(path);

export async function readKeyFile(path: string): Promise<Uint8Array> {
  const content = await readFile(path);
  if (content.length < minKeyFileBytes || content.length > maxKeyFileBytes)
    throw new BackupError(
      `has ${content.length} bytes: a key file has at least ${minKeyFileBytes}, which nobody can guess, and at most ${maxKeyFileBytes}`,
    );
  return content;
}

/** Removes a file if it begins as a backup does. False where it does not. */
export async function removeBackupFile(path: string): Promise<boolean> {
  if (!(await isBackupFile(path))) return false;
  await rm(path);
  return true;
}

async function isBackupFile(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (!(await file.stat()).isFile()) return false;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxPreludeBytes), 0, maxPreludeBytes, 0);
    return isBackupBeginning(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}
