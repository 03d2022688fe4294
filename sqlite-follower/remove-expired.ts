// Removes what a copy no longer has to keep, and what was never finished.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listGenerations } from './read-copy.ts';
import { listExpired } from './choose-copy.ts';

/** Every moment from then on can still be restored. Returns what was removed. */
export async function removeExpired(folder: string, keptFromMs: number): Promise<string[]> {
  const { generations, files } = listExpired(await listGenerations(folder), keptFromMs);
  for (const name of files) await rm(join(folder, name));
  for (const name of generations) await rm(join(folder, name), { recursive: true });
  return [...generations, ...files];
}

/** Removes the files that a killed process was writing. No other process may be writing the copy. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const { name } of await listGenerations(folder))
    for (const file of await readdir(join(folder, name)))
      if (unfinishedEnd.test(file.slice(-unfinishedLength))) await rm(join(folder, name, file));
}

/** The end of the name of a file that is being written: `.copy.`, a UUID and `.part`. */
const unfinishedEnd = /^\.copy\.[0-9a-f-]{36}\.part$/;
const unfinishedLength = 47;
