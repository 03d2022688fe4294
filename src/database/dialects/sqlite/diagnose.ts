// What the errors of a SQLite file mean, also to the operator.

import type { Diagnosis } from '../../checks/diagnosis.ts';
import type { StorageFailure } from '../../errors.ts';

const damaged: Diagnosis = {
  check: 'integrity',
  problem: 'the file is damaged, cut short or no SQLite database',
  remedy: 'Restore it from a backup, together with its -wal file, and run `verify ledger`',
};
const noPermission: Diagnosis = {
  check: 'permissions',
  problem: 'the file or its directory may not be opened, or not be written to',
  remedy: 'Let the user of the service read and write both',
};
const fullDisk: Diagnosis = { check: 'disk', problem: 'the disk is full', remedy: 'Free some space on it' };
const brokenDisk: Diagnosis = {
  check: 'disk',
  problem: 'the disk failed to read or write the file',
  remedy: 'Look at the disk and at the log of the system',
};
const locked: Diagnosis = {
  check: 'database',
  problem: 'another process holds the write lock',
  remedy: 'End that process, or wait for it',
};

// https://www.sqlite.org/rescode.html; the low byte is the primary result code.
export const sqliteErrors: Readonly<Record<number, readonly [failure: StorageFailure, diagnosis: Diagnosis]>> = {
  5: ['rolled-back', locked], // BUSY: another process held the write lock beyond the timeout
  6: ['rolled-back', locked], // LOCKED
  8: ['unavailable', noPermission], // READONLY
  10: ['unavailable', brokenDisk], // IOERR
  11: ['unavailable', damaged], // CORRUPT
  13: ['unavailable', fullDisk], // FULL
  14: ['unavailable', noPermission], // CANTOPEN
  26: ['unavailable', damaged], // NOTADB
};

// https://nodejs.org/api/errors.html#common-system-errors: of making the directory and the file.
const diagnosesBySystemError: Readonly<Record<string, Diagnosis>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: noPermission,
  ENOSPC: fullDisk,
  EDQUOT: fullDisk,
  EIO: brokenDisk,
  ENOTDIR: { check: 'connection', problem: 'its directory is a file', remedy: 'Correct PORTAL_STORAGE' },
  EEXIST: { check: 'connection', problem: 'its directory is a file', remedy: 'Correct PORTAL_STORAGE' },
};

export const missingFile: Diagnosis = {
  check: 'migrations',
  problem: 'the file does not exist',
  remedy: 'Run `migrate`, or restore it from a backup',
};

export const sqliteSilence: Diagnosis = {
  check: 'connection',
  problem: 'the file does not answer in time',
  remedy: 'Look at the load of the disk, and for a process that holds the file',
};

/** Undefined where the error is not one of storage. */
export function diagnoseSqliteError(error: unknown): Diagnosis | undefined {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === 'number') return sqliteErrors[errcode & 0xff]?.[1];
  return typeof code === 'string' ? diagnosesBySystemError[code] : undefined;
}
