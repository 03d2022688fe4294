// Inserts many rows, in chunks that keep below the engines' limits of parameters. The SQL is built as text, since a
// query builder's node for every parameter costs more than the insert.

import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import type { Tables } from './tables.ts';

// Larger statements gain nothing, and swell the memory of the thread that runs them.
const maxParameters = 4000;

/** Inserts the rows, in chunks. All rows have the columns of the first. `onDuplicate` follows the values. */
export async function insertRows<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Tables[T][],
  onDuplicate: RawBuilder<unknown> = sql``,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[T] & string)[];
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const insertClause = sql`insert into ${sql.table(table)} (${names}) values `.compile(db).sql;
  const duplicateClause = onDuplicate.compile(db).sql;
  const rowPlaceholders = `(${columns.map(() => '?').join(', ')})`;
  const rowsPerChunk = Math.max(1, Math.floor(maxParameters / Math.max(1, columns.length)));
  for (let from = 0; from < rows.length; from += rowsPerChunk) {
    const chunk = rows.slice(from, from + rowsPerChunk);
    const text = `${insertClause}${Array.from(chunk, () => rowPlaceholders).join(', ')} ${duplicateClause}`;
    const values = chunk.flatMap((each) => columns.map((column) => each[column]));
    await db.execute(text, values);
  }
}
