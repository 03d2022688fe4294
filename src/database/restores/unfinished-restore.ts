// Marks a database into which a backup is being restored: no other transaction may use it. The mark is a table, which is
// the first that a restore creates and the last that it drops, since MariaDB commits each change of a table at once.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../db.ts';

export const restoreMark = 'unfinished_restore';

export const isRestoring = async (db: Db): Promise<boolean> =>
  (await db.dialect.hasTable(db, restoreMark)) && (await hasMark(db));

/** A table without its row is left from a restore that has finished, or has not begun. */
export async function hasMark(db: Db): Promise<boolean> {
  const { rows } = await sql`select owner from ${sql.table(restoreMark)}`.execute(db);
  return rows.length > 0;
}

/** Throws a duplicate key where another restore begins at the same time. */
export async function createMark(db: Db, owner: string): Promise<void> {
  const { schema, dialect } = db;
  await dialect
    .withTableOptions(
      schema
        .createTable(restoreMark)
        .ifNotExists()
        .addColumn('id', dialect.int64, (column) => column.primaryKey().notNull())
        .addColumn('owner', dialect.text(64), (column) => column.notNull())
        .addColumn('writes', dialect.int64, (column) => column.notNull()),
    )
    .execute();
  await sql`insert into ${sql.table(restoreMark)} (id, owner, writes) values (1, ${owner}, 0)`.execute(db);
}

/** From now on every write of the restore that was cut short, should it still run, is refused. False if it has finished. */
export const takeOverMark = (db: Db, owner: string): Promise<boolean> =>
  changesMark(db, sql`update ${sql.table(restoreMark)} set owner = ${owner}, writes = writes + 1`);

/** Locks the mark for a write of its owner. False where another restore has taken over. */
export const lockMark = (db: WriteDb, owner: string): Promise<boolean> =>
  changesMark(db, sql`update ${sql.table(restoreMark)} set writes = writes + 1 where owner = ${owner}`);

/** False where another restore has taken over. */
export const deleteMark = (db: WriteDb, owner: string): Promise<boolean> =>
  changesMark(db, sql`delete from ${sql.table(restoreMark)} where owner = ${owner}`);

export const dropMark = (db: Db): Promise<void> => db.schema.dropTable(restoreMark).ifExists().execute();

async function changesMark(db: Db, statement: ReturnType<typeof sql>): Promise<boolean> {
  try {
    const { numAffectedRows = 0n } = await statement.execute(db);
    return numAffectedRows > 0n;
  } catch (error) {
    // Another restore that has finished has dropped the table.
    if (await db.dialect.hasTable(db, restoreMark)) throw error;
    return false;
  }
}
