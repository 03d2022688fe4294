// Opening a SQLite file the way the service needs it, and noticing when it is no longer there.

import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { WorkerSettings } from './protocol.ts';

const busyTimeoutMs = 5000;
const lookEveryMs = 1000;

// https://www.sqlite.org/rescode.html
const busy = 5;
const cannotOpen = 14;

export type OpenedFile = {
  readonly database: DatabaseSync;
  /** Throws where the path no longer leads to the file that was opened. */
  refuseWhereReplaced(): void;
};

export function openFile({ file, mode }: WorkerSettings): OpenedFile {
  // Never made here: a file that is missing where there was one is a failure, not an empty database.
  const existing = pathToFileURL(file);
  existing.searchParams.set('mode', 'rw');
  const database = new DatabaseSync(existing, { enableForeignKeyConstraints: true, timeout: busyTimeoutMs });
  const opened = identityOf(file);
  let lookedAt = performance.now();
  useWriteAheadLog(database);
  database.exec(mode === 'write' ? 'pragma synchronous = full' : 'pragma query_only = on');
  database.exec('pragma cache_size = -8192');
  database.exec('pragma temp_store = memory');
  return {
    database,
    // A file that is removed or replaced lives on, unseen, for those who have it open: what they write is lost. A
    // writer looks each time, a reader now and then.
    refuseWhereReplaced: () => {
      const now = performance.now();
      if (mode === 'snapshot' && now - lookedAt < lookEveryMs) return;
      lookedAt = now;
      if (identityOf(file) === opened) return;
      throw Object.assign(new Error('the database file was removed or replaced'), { errcode: cannotOpen });
    },
  };
}

// Changing the journal of a new file asks for the file alone, and does not wait for that by itself.
function useWriteAheadLog(database: DatabaseSync): void {
  const until = performance.now() + busyTimeoutMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if ((error as { errcode?: unknown }).errcode !== busy || performance.now() > until) throw error;
      Atomics.wait(never, 0, 0, 10);
    }
  }
}

function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.dev}/${stats.ino}`;
}
