// Reads, writes and moves the files of a synchronised folder.

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, lstat, mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isUnchangedFile, type SeenFile } from '../rules/settled-files.ts';
import { findFreeName, reportNames, temporaryNameOf } from '../rules/sync-names.ts';
import { formatSyncReport, type SyncReport } from '../rules/sync-report.ts';

const folderNames = ['done', 'failed', 'out'] as const;

/** A program of the same group takes them. */
const fileMode = 0o640;

/** Makes the folders that files are moved to. */
export async function prepareFolders(folder: string): Promise<void> {
  for (const name of folderNames) {
    await mkdir(join(folder, name), { recursive: true });
    await access(join(folder, name), constants.W_OK);
  }
}

/** The regular files of the folder. A link can name a file that is none of the sender's. */
export async function listFiles(folder: string): Promise<SeenFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ name }) => findFile(join(folder, name), name)),
  );
  return files.filter((file) => file !== undefined);
}

async function findFile(path: string, name: string): Promise<SeenFile | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(ignoreMissing);
  return stats?.isFile() === true ? { name, ...identify(stats) } : undefined;
}

const identify = ({ size, mtimeNs, ino }: BigIntStats): Omit<SeenFile, 'name'> => ({ size, mtimeNs, inode: ino });

export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

export type SourceFile = {
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
  readonly bytes: number;
  /** Can be read again and again. */
  blocks(): AsyncIterable<Uint8Array>;
  /** Whether it is still as it was when it was seen, also under its name. */
  isUnchanged(): Promise<boolean>;
  close(): Promise<void>;
};

/** Undefined if it is gone, or no longer as it was seen. */
export async function openSource(folder: string, seen: SeenFile): Promise<SourceFile | undefined> {
  const path = join(folder, seen.name);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreMissing);
  if (handle === undefined) return undefined;
  try {
    const isUnchanged = async (): Promise<boolean> => {
      const named = await findFile(path, seen.name);
      const opened = identify(await handle.stat({ bigint: true }));
      return named !== undefined && isUnchangedFile(named, seen) && isUnchangedFile(opened, seen);
    };
    const hash = await hashFile(handle);
    if (await isUnchanged())
      return {
        hash,
        bytes: Number(seen.size),
        blocks: () => readBlocks(handle),
        isUnchanged,
        close: () => handle.close(),
      };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

const readBlocks = (handle: FileHandle): AsyncIterable<Uint8Array> =>
  handle.createReadStream({ start: 0, autoClose: false });

async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of readBlocks(handle)) hash.update(block);
  return hash.digest('hex');
}

/** Whoever reads the file has the whole of it, or the one before. */
export async function writeAtomically(
  path: string,
  write: (add: (text: string) => Promise<void>) => Promise<boolean>,
): Promise<boolean> {
  const temporary = join(dirname(path), temporaryNameOf(basename(path)));
  try {
    const isWanted = await writeThrough(temporary, write);
    if (isWanted) await renameThrough(temporary, path);
    return isWanted;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** What it writes is on the disk if it returns true. */
export async function writeThrough(
  path: string,
  write: (add: (part: string | Uint8Array) => Promise<void>) => Promise<boolean>,
): Promise<boolean> {
  const file = await open(path, 'w', fileMode);
  try {
    const isWanted = await write((part) => file.appendFile(part));
    if (isWanted) await file.sync();
    return isWanted;
  } finally {
    await file.close();
  }
}

/** Within a folder. Afterwards the disk has the name as well. */
export async function renameThrough(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export const writeText = (path: string, text: string): Promise<boolean> =>
  writeAtomically(path, async (add) => {
    await add(text);
    return true;
  });

type MovedFile = { readonly folder: string; readonly seen: SeenFile; readonly report: SyncReport };

/**
 * Writes the report, and then moves the file beside it: what is interrupted is done again, and nothing is without a report.
 * False if the file was written to meanwhile: then it is where it was.
 */
export async function moveAside(target: 'done' | 'failed', { folder, seen, report }: MovedFile): Promise<boolean> {
  const to = join(folder, target);
  const taken = new Set(await readdir(to));
  const name = findFreeName(seen.name, report.reportedUtc, (each) => taken.has(each));
  const { json, text } = reportNames(name);
  await writeText(join(to, json), `${JSON.stringify(report, null, 2)}\n`);
  await writeText(join(to, text), formatSyncReport(report));
  await moveFile(join(folder, seen.name), join(to, name));
  const moved = await findFile(join(to, name), name);
  if (moved === undefined || isUnchangedFile(moved, seen)) return true;
  const present = new Set(await readdir(folder));
  const back = findFreeName(seen.name, report.reportedUtc, (each) => present.has(each));
  await moveFile(join(to, name), join(folder, back));
  for (const each of [json, text]) await rm(join(to, each), { force: true });
  return false;
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    throw new Error(`${from} cannot be moved to ${to}, which is on another file system: have both on one`, {
      cause: error,
    });
  }
}
