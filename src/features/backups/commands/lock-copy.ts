// Keeps two processes from writing the same copy.

import { join } from 'node:path';
import { BackupError } from '../rules/backup-error.ts';
import { lockFile, type FileLock } from './lock-file.ts';

/** Throws BackupError where another process has the lock. It lasts until it is closed. */
export function lockCopy(folder: string): FileLock {
  const lock = lockFile(join(folder, 'lock'), { creates: true });
  if (typeof lock === 'string') throw new BackupError('is written by another `backup follow`');
  return lock;
}
