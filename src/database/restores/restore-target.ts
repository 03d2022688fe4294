// The steps of a restore in the database: it begins with an empty one, and is served only after the last step. A restore
// that was cut short, at whatever step, is taken over by the next one.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db, WriteDb } from '../db.ts';
import { migrate } from '../migrate.ts';
import { restoreCheckMaxAgeMs } from '../checks/schema-check.ts';
import type { TenantDatabase } from '../tenant-database.ts';
import {
  createMark,
  deleteMark,
  dropMark,
  hasMark,
  lockMark,
  restoreMark,
  takeOverMark,
} from './unfinished-restore.ts';

/**
 * A restore into a database was refused. The message says why, as the end of a sentence that begins with the name of
 * the database.
 */
export class RestoreRefusedError extends Error {
  override name = 'RestoreRefusedError';
}

export type RestoreTarget = ReturnType<typeof createRestoreTarget>;

const finishDeadlineMs = 60_000;

export function createRestoreTarget(
  database: TenantDatabase,
  runMigrations: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
) {
  const owner = randomUUID();
  const requireOwner = (isOwner: boolean): void => {
    if (!isOwner) throw new RestoreRefusedError('another restore has taken over');
  };
  return {
    /** Can be used from `begin` on. */
    database,
    /**
     * Creates the tables as they were after this migration, when no process uses the database any longer. Throws
     * RestoreRefusedError where the database is not empty.
     */
    begin: (lastMigration: string) =>
      runMigrations(async (db) => {
        await emptyForRestore(db, owner);
        await pause(restoreCheckMaxAgeMs * 1.1);
        await migrate(db, lastMigration);
      }),
    /** The first statement of a write: throws RestoreRefusedError where another restore has taken over. */
    lock: async (db: WriteDb) => requireOwner(await lockMark(db, owner)),
    /** Runs the later migrations; returns their names. */
    migrate: () => runMigrations((db) => migrate(db)),
    /** Lets the database be used. */
    finish: async () => {
      await database.write({ deadlineMs: finishDeadlineMs }, async (db) => requireOwner(await deleteMark(db, owner)));
      await runMigrations(dropMark);
    },
  };
}

/** Marks the database, and drops what an earlier restore has left. */
async function emptyForRestore(db: Db, owner: string): Promise<void> {
  const tables = [...new Set((await db.dialect.listColumns(db)).map(({ table }) => table))];
  const others = tables.filter((table) => table !== restoreMark);
  const isTakenOver = tables.includes(restoreMark) && (await hasMark(db));
  if (!isTakenOver && others.length > 0) throw new RestoreRefusedError('it is not empty');
  if (isTakenOver) {
    if (!(await takeOverMark(db, owner))) throw new RestoreRefusedError('another restore has finished meanwhile');
  } else await createOwnMark(db, owner);
  for (const table of others) await db.schema.dropTable(table).ifExists().execute();
}

async function createOwnMark(db: Db, owner: string): Promise<void> {
  try {
    await createMark(db, owner);
  } catch (error) {
    if (db.dialect.classifyError(error) !== 'duplicate') throw error;
    throw new RestoreRefusedError('another restore has begun at the same time');
  }
}
