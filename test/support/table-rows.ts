// The rows of tables as text, to show that something changed nothing.

import { sql } from 'kysely';
import type { Db } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';

/** Rows by table, in one order; of one bank, or all there are. */
export type TableRows = Record<string, string[]>;

export async function readTableRows(db: Db, tables: readonly (keyof Tables)[], bankId?: number): Promise<TableRows> {
  const all: TableRows = {};
  for (const table of tables) {
    const where = bankId === undefined ? sql`` : sql`where bank_id = ${bankId}`;
    const { rows } = await sql<object>`select * from ${sql.table(table)} ${where}`.execute(db);
    all[table] = rows.map((row) => Object.values(row).map(String).join('|')).toSorted();
  }
  return all;
}
