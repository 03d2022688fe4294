// The folder in which a restore makes the database of a moment. Whoever made it holds the lock in it until it is removed, so
// that the folder of a killed restore is told from one that is in use, and the next restore removes it.

import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile, type FileLock } from './lock-file.ts';

type MomentFolder = { readonly path: string; remove(): Promise<void> };

const lockName = 'lock';
const maxAttempts = 10;

const prefixOf = (tenant: string): string => `${tenant}.moment-`;

export async function createMomentFolder(scratch: string, tenant: string): Promise<MomentFolder> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const path = await mkdtemp(join(scratch, prefixOf(tenant)));
    const lock = lockNewFolder(path);
    if (lock === undefined) continue;
    const remove = async (): Promise<void> => {
      await removeLocked(path);
      lock.close();
    };
    return { path, remove };
  }
  throw new Error(`each folder for the moment was removed by others as soon as it was made in ${scratch}`);
}

/** Undefined where another restore has removed the folder, which was empty. */
function lockNewFolder(path: string): FileLock | undefined {
  let lock: ReturnType<typeof lockFile>;
  try {
    lock = lockFile(join(path, lockName), { creates: true });
  } catch (error) {
    if (!existsSync(path)) return undefined;
    throw error;
  }
  if (typeof lock === 'string') return undefined;
  // Nobody else creates the file: as long as it is there, it is the one that was locked.
  if (existsSync(join(path, lockName))) return lock;
  lock.close();
  return undefined;
}

/** Removes what killed restores of the tenant have left, and nothing that is in use. */
export async function removeAbandonedMoments(scratch: string, tenant: string): Promise<void> {
  for (const name of (await unlessMissing(readdir(scratch))) ?? []) {
    if (!name.startsWith(prefixOf(tenant))) continue;
    const path = join(scratch, name);
    const found = await unlessMissing(lstat(path));
    // The system's folder for temporary files has those of others as well.
    if (found?.isDirectory() === true && found.uid === process.getuid?.()) await removeUnlessHeld(path);
  }
}

async function removeUnlessHeld(path: string): Promise<void> {
  const lock = lockFile(join(path, lockName), { creates: false });
  if (lock === 'held') return;
  if (lock === 'missing') return removeEmptyFolder(path);
  try {
    await removeLocked(path);
  } finally {
    lock.close();
  }
}

/** The lock goes last, so that what is left of a removal that was killed can be locked. */
async function removeLocked(path: string): Promise<void> {
  const names = (await unlessMissing(readdir(path))) ?? [];
  for (const name of names.filter((each) => each !== lockName)) await rm(join(path, name), { force: true });
  await rm(join(path, lockName), { force: true });
  await removeEmptyFolder(path);
}

/** A restore that was about to lock it makes another one. */
async function removeEmptyFolder(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
