// Bulk inserts, chunked so that no statement carries more parameters than an engine takes.

import { sql, type RawBuilder } from 'kysely';
import type { Db } from './dialect.ts';
import type { Tables } from './tables.ts';

const maxParameters = 16_000;

/** Inserts the rows, in chunks. All rows have the columns of the first. `onDuplicate` follows the values. */
export async function insertRows<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Tables[T][],
  onDuplicate: RawBuilder<unknown> = sql``,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[T] & string)[];
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const perChunk = Math.max(1, Math.floor(maxParameters / Math.max(1, columns.length)));
  for (let from = 0; from < rows.length; from += perChunk) {
    const chunk = rows.slice(from, from + perChunk);
    const values = sql.join(chunk.map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column])))})`));
    await sql`insert into ${sql.table(table)} (${names}) values ${values} ${onDuplicate}`.execute(db);
  }
}
