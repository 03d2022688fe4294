// Lets one process at a time work on a synchronised folder.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type FolderLock = { release(): void };

const lockName = '.portal-sync.lock';
const busy = 5;

/**
 * Undefined if another process has the folder. The lock is one of the operating system on a file, as SQLite takes it: it
 * ends with the process, however that ends, so that no lock is left over and none has to be guessed to be.
 */
export function lockFolder(folder: string): FolderLock | undefined {
  const file = new DatabaseSync(join(folder, lockName), { timeout: 0 });
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { readonly errcode?: number }).errcode === busy) return undefined;
    throw error;
  }
  return { release: () => file.close() };
}
