// Writes the file of a backup whole or not at all, and reads and removes such files.

import { constants, createReadStream } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { writeWholeFile } from '../../../../sqlite-follower/whole-file.ts';
import { CopyError } from '../../../../sqlite-follower/copy-error.ts';
import { isBackupBeginning, maxPreludeBytes } from '../rules/prelude.ts';
import type { Sink } from './write-container.ts';

/** A shorter key could be guessed. */
const minKeyFileBytes = 32;
const maxKeyFileBytes = 1_048_576;

/** Whoever sees the path sees the whole file. Throws CopyError where there is such a file already. */
export const writeBackupFile = <T>(path: string, write: (sink: Sink) => Promise<T>): Promise<T> =>
  writeWholeFile(path, write, { replaces: false });

export const writeToStandardOutput: Sink = async (bytes) => {
  for await (const chunk of bytes)
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
};

/** `-` is the standard input. */
export const openBackupSource = (path: string): AsyncIterable<Uint8Array> =>
  path === '-' ? process.stdin : createReadStream(path);

export async function readKeyFile(path: string): Promise<Uint8Array> {
  const content = await readFile(path);
  if (content.length < minKeyFileBytes || content.length > maxKeyFileBytes)
    throw new CopyError(
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
