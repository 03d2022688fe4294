// Turns what is wrong with a backup, or with its file, into a line for the operator.

import { RestoreRefusedError } from '../../database/restores/restore-target.ts';
// oxlint-disable-next-line no-restricted-imports -- The error of a copy is that of a backup as well.
import { CopyError } from '../../../sqlite-follower/copy-error.ts';
import { CommandError } from '../command-error.ts';

/** Throws CommandError where the backup is wrong, or the file cannot be read or written. */
export async function explainBackupErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CopyError) throw new CommandError(`${path} ${error.message}`, 1);
    if (error instanceof RestoreRefusedError) throw error;
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw isOfFile(error) ? new CommandError(`${path} cannot be used: ${code} (${syscall})`, 1) : error;
  }
}

const fileCalls = new Set([
  'open',
  'read',
  'write',
  'fsync',
  'rename',
  'scandir',
  'unlink',
  'access',
  'fstat',
  'mkdir',
]);

/** An error of a database has another origin, and is explained elsewhere. */
const isOfFile = (error: unknown): boolean => fileCalls.has(String((error as NodeJS.ErrnoException).syscall));
