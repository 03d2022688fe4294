// Opens a SQLite file with the settings that the service needs, and notices when the file was replaced.

import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { SqliteWorkerSettings } from './protocol.ts';

const busyTimeoutMs = 5000;
/** Downloads read each page once. */
const cacheKibibytes = { read: 8192, download: 8192, write: 8192 } as const;
const readerCheckIntervalMs = 1000;
/**
 * How long the write-ahead log becomes before its pages go to the file: 16 MiB. Many rows change the same pages of an
 * index, and after four times as many writes each of these is written to the file once.
 */
const checkpointPages = 4000;

// https://www.sqlite.org/rescode.html
const sqliteBusy = 5;
const sqliteCannotOpen = 14;

type OpenedDatabaseFile = {
  readonly database: DatabaseSync;
  /** Throws where the path no longer leads to the file that was opened. */
  throwIfReplaced(): void;
};

export function openDatabaseFile({ file, group }: SqliteWorkerSettings): OpenedDatabaseFile {
  // It is never created here: where there was a file, a missing one is a failure and not an empty database.
  const existing = pathToFileURL(file);
  existing.searchParams.set('mode', 'rw');
  const database = new DatabaseSync(existing, { enableForeignKeyConstraints: true, timeout: busyTimeoutMs });
  const openedIdentity = readFileIdentity(file);
  let checkedAtMs = performance.now();
  useWriteAheadLog(database);
  database.exec(group === 'write' ? 'pragma synchronous = full' : 'pragma query_only = on');
  database.exec(`pragma cache_size = -${cacheKibibytes[group]}`);
  database.exec('pragma temp_store = memory');
  database.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
  return {
    database,
    // A file that is removed or replaced lives on, unseen, for those who have it open: what they write is lost. A
    // writer looks each time, a reader now and then.
    throwIfReplaced: () => {
      const now = performance.now();
      if (group !== 'write' && now - checkedAtMs < readerCheckIntervalMs) return;
      checkedAtMs = now;
      if (readFileIdentity(file) === openedIdentity) return;
      throw Object.assign(new Error('the database file was removed or replaced'), { errcode: sqliteCannotOpen });
    },
  };
}

// To change the journal of a new file takes exclusive access to it, for which SQLite does not wait by itself.
function useWriteAheadLog(database: DatabaseSync): void {
  const deadlineAtMs = performance.now() + busyTimeoutMs;
  const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if ((error as { errcode?: unknown }).errcode !== sqliteBusy || performance.now() > deadlineAtMs) throw error;
      Atomics.wait(sleepBuffer, 0, 0, 10);
    }
  }
}

function readFileIdentity(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.dev}/${stats.ino}`;
}
