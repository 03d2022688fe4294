// Locks a file for as long as the process lives, whatever ends it. The lock is one of SQLite.

import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const [sqliteBusy, sqliteCannotOpen] = [5, 14];

export type FileLock = { close(): void };

/** `held` where another process has the lock, and `missing` where there is no such file and none is created. */
export function lockFile(path: string, { creates }: { readonly creates: boolean }): FileLock | 'held' | 'missing' {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', creates ? 'rwc' : 'rw');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(url, { timeout: 0 });
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode } = error as { readonly errcode?: number };
    if (errcode === sqliteBusy) return 'held';
    if (errcode === sqliteCannotOpen && !creates) return 'missing';
    throw error;
  }
}
