// Inserts many rows, in chunks that keep below the engines' limits of parameters. The SQL is built as text, since a
// query builder's node for every parameter costs more than the insert.

import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import type { Tables } from './tables.ts';

// Larger statements are no faster, and take more memory in the thread that runs them.
const maxParameters = 4000;

/** SQL for a row whose key exists already. It depends only on the shape. */
type OnDuplicate = { readonly shape: string; build(): RawBuilder<unknown> };

type Clauses = { readonly insert: string; readonly duplicate: string };

/** By engine, table, columns and shape: as many as there are calls in the code. */
const knownClauses = new Map<string, Clauses>();

function clausesOf(db: Db, table: string, columns: readonly string[], onDuplicate: OnDuplicate | undefined): Clauses {
  const key = [db.dialect.engine, table, columns.join(), onDuplicate?.shape].join(' ');
  const known = knownClauses.get(key);
  if (known !== undefined) return known;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const made = {
    insert: sql`insert into ${sql.table(table)} (${names}) values `.compile(db).sql,
    duplicate: (onDuplicate?.build() ?? sql``).compile(db).sql,
  };
  knownClauses.set(key, made);
  return made;
}

/** Inserts the rows, in chunks. All rows have the columns of the first. */
export async function insertRows<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Tables[T][],
  onDuplicate?: OnDuplicate,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[T] & string)[];
  const clauses = clausesOf(db, table, columns, onDuplicate);
  const rowPlaceholders = `(${columns.map(() => '?').join(', ')})`;
  const rowsPerChunk = Math.max(1, Math.floor(maxParameters / Math.max(1, columns.length)));
  for (let from = 0; from < rows.length; from += rowsPerChunk) {
    const chunk = rows.slice(from, from + rowsPerChunk);
    const text = `${clauses.insert}${Array.from(chunk, () => rowPlaceholders).join(', ')} ${clauses.duplicate}`;
    const values = chunk.flatMap((each) => columns.map((column) => each[column]));
    await db.execute(text, values);
  }
}
