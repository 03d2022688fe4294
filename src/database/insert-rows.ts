// Inserts many rows, in chunks that keep below the engines' limits of parameters. The SQL is built as text, since a
// query builder's node for every parameter costs more than the insert.

import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import type { Tables } from './tables.ts';

// Larger statements are no faster, and take more memory in the thread that runs them.
const maxParameters = 4000;

/** SQL for a row whose key exists already. It depends only on the shape. */
type OnDuplicate = { readonly shape: string; build(): RawBuilder<unknown> };

type Verb = 'insert' | 'replace';
type Clauses = { readonly into: string; readonly duplicate: string };

/** By engine, verb, table, columns and shape: as many as there are calls in the code. */
const knownClauses = new Map<string, Clauses>();

type RowsClause = { readonly verb: Verb; readonly table: string; readonly onDuplicate?: OnDuplicate | undefined };

function clausesOf(db: Db, { verb, table, onDuplicate }: RowsClause, columns: readonly string[]): Clauses {
  const key = [db.dialect.engine, verb, table, columns.join(), onDuplicate?.shape].join(' ');
  const known = knownClauses.get(key);
  if (known !== undefined) return known;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const made = {
    into: sql`${sql.raw(verb)} into ${sql.table(table)} (${names}) values `.compile(db).sql,
    duplicate: (onDuplicate?.build() ?? sql``).compile(db).sql,
  };
  knownClauses.set(key, made);
  return made;
}

/** Inserts the rows, in chunks. All rows have the columns of the first. */
export const insertRows = <T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Tables[T][],
  onDuplicate?: OnDuplicate,
): Promise<void> => sendRows(db, { verb: 'insert', table, onDuplicate }, rows);

/** The same for rows that take the places of those with their keys. */
export const replaceRows = <T extends keyof Tables>(db: Db, table: T, rows: readonly Tables[T][]): Promise<void> =>
  sendRows(db, { verb: 'replace', table }, rows);

async function sendRows(db: Db, clause: RowsClause, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const clauses = clausesOf(db, clause, columns);
  const rowPlaceholders = `(${columns.map(() => '?').join(', ')})`;
  const rowsPerChunk = Math.max(1, Math.floor(maxParameters / Math.max(1, columns.length)));
  for (let from = 0; from < rows.length; from += rowsPerChunk) {
    const chunk = rows.slice(from, from + rowsPerChunk);
    const text = `${clauses.into}${Array.from(chunk, () => rowPlaceholders).join(', ')} ${clauses.duplicate}`;
    const values = chunk.flatMap((each) => columns.map((column) => each[column]));
    await db.execute(text, values);
  }
}
