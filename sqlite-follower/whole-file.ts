// Writes a file whole or not at all.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CopyError } from './copy-error.ts';

/** Only the user of the process can read what it writes. */
export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;

/** Takes all bytes of a file. */
export type Sink = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** Whoever sees the path sees the whole file. Throws CopyError where there is such a file already, unless it is replaced. */
export async function writeWholeFile<T>(
  path: string,
  write: (sink: Sink) => Promise<T>,
  { replaces }: { readonly replaces: boolean },
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

async function requireNoFile(path: string): Promise<void> {
  const exists = await access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
  if (exists) throw new CopyError('exists already, and is not overwritten');
}

/** So that a new name in it outlives a loss of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Its parent has to exist: a disk that is not mounted is no place for a copy. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: privateFolderMode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
