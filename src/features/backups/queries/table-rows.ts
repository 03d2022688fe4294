// Reads and writes the rows of whole tables, whatever their columns are.

import { sql } from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type { Db, WriteDb } from '../../../database/db.ts';
import { restoreMark } from '../../../database/restores/unfinished-restore.ts';
import type { BackupTable } from '../rules/content-lines.ts';
import type { StoredValue } from '../rules/row-lines.ts';

const rowsPerPage = 1000;
// Above it an insert is no faster, and MariaDB has a limit of its own for the bytes of a statement.
const rowsPerInsert = 200;

/** They say what was done to the schema. The header of a backup names the migrations instead. */
const tablesAboutSchema: ReadonlySet<string> = new Set([
  DEFAULT_MIGRATION_TABLE,
  DEFAULT_MIGRATION_LOCK_TABLE,
  restoreMark,
]);

/** Every other table with its columns and its primary key, by name. */
export async function listTables(db: Db): Promise<BackupTable[]> {
  const columnsByTable = Map.groupBy(await db.dialect.listColumns(db), ({ table }) => table);
  return [...columnsByTable]
    .filter(([table]) => !tablesAboutSchema.has(table))
    .map(([table, columns]) => ({
      table,
      columns: columns.map(({ column }) => column),
      key: columns
        .filter(({ keyPlace }) => keyPlace > 0)
        .toSorted((a, b) => a.keyPlace - b.keyPlace)
        .map(({ column }) => column),
    }))
    .toSorted((a, b) => (a.table < b.table ? -1 : 1));
}

type Row = Readonly<Record<string, StoredValue>>;

/** The rows of a table in the order of its primary key, page by page. The next page is read while one is used. */
export async function* readPages(db: Db, { table, columns, key }: BackupTable): AsyncGenerator<StoredValue[][], void> {
  let next: Promise<Row[]> | undefined = readPage(db, { table, columns, key }, undefined);
  while (next !== undefined) {
    const rows: Row[] = await next;
    const last = rows.length < rowsPerPage ? undefined : rows.at(-1);
    next = last === undefined ? undefined : readPage(db, { table, columns, key }, last);
    // It is awaited above, unless the reader has stopped.
    next?.catch(() => {});
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column] ?? null));
  }
}

async function readPage(db: Db, { table, columns, key }: BackupTable, after: Row | undefined): Promise<Row[]> {
  const where =
    after === undefined
      ? sql``
      : sql`where ${db.dialect.isAfterKey(
          key,
          key.map((column) => after[column]),
        )}`;
  const { rows } = await sql<Row>`
    select ${joinNames(columns)} from ${sql.table(table)} ${where} order by ${joinNames(key)} limit ${rowsPerPage}`.execute(
    db,
  );
  return rows;
}

export async function deleteRows(db: WriteDb, table: string): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db);
}

export async function insertTableRows(
  db: WriteDb,
  { table, columns }: BackupTable,
  rows: readonly StoredValue[][],
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const tuples = rows.slice(from, from + rowsPerInsert).map((row) => sql`(${sql.join(row)})`);
    await sql`insert into ${sql.table(table)} (${joinNames(columns)}) values ${sql.join(tuples)}`.execute(db);
  }
}

const joinNames = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
