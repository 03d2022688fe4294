// SQLite's words: STRICT tables, whose integers are 64-bit, and its result codes.

import { sql } from 'kysely';
import type { Words } from '../../dialect.ts';
import type { Failure } from '../../errors.ts';
import { insertRows } from '../../insert.ts';

// https://www.sqlite.org/rescode.html; the low byte is the primary result code.
const failures: Readonly<Record<number, Failure>> = {
  5: 'rolled-back', // BUSY: another process held the write lock beyond the timeout
  6: 'rolled-back', // LOCKED
  8: 'unavailable', // READONLY
  10: 'unavailable', // IOERR
  11: 'unavailable', // CORRUPT
  13: 'unavailable', // FULL
  14: 'unavailable', // CANTOPEN
  26: 'unavailable', // NOTADB
};
const duplicateCodes = new Set([1555, 2067, 2579]); // PRIMARYKEY, UNIQUE, ROWID

// Of so few the planner sees that they are; more are one parameter, as statements are kept by their texts.
const few = 20;

export const sqliteWords: Words = {
  engine: 'sqlite',
  int64: sql`integer`,
  text: () => sql`text`,
  longText: sql`text`,
  finishTable: (table) => table.modifyEnd(sql`strict, without rowid`),
  highHalf: (column) => sql<number>`${column} / 4294967296`,
  lowHalf: (column) => sql<number>`${column} % 4294967296`,
  upsertMerging: (db, table, rows, { key, adding, least = [], most = [] }) => {
    const target = sql.join(key.map((column) => sql.ref(column)));
    const both = (column: string) => [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)] as const;
    const merged = [
      ...adding.map((column) => sql`${sql.ref(column)} = ${sql.join(both(column), sql` + `)}`),
      ...least.map((column) => sql`${sql.ref(column)} = min(${sql.join(both(column))})`),
      ...most.map((column) => sql`${sql.ref(column)} = max(${sql.join(both(column))})`),
    ];
    return insertRows(db, table, rows, sql`on conflict (${target}) do update set ${sql.join(merged)}`);
  },
  among: (value, ids) =>
    ids.length <= few
      ? sql`${value} in (${sql.join(ids)})`
      : sql`${value} in (select value from json_each(${`[${ids.join()}]`}))`,
  stoppable: (column) => sql`(${column} & 1023 <> 0 or alive())`,
  classify: (error) => {
    const { name, errcode } = error as { name?: unknown; errcode?: unknown };
    if (name === 'SqliteThreadEnded') return 'outcome-unknown';
    if (typeof errcode !== 'number') return 'defect';
    if (duplicateCodes.has(errcode)) return 'duplicate';
    return failures[errcode & 0xff] ?? 'defect';
  },
  // Each connection sets its own: write-ahead log, full synchronisation, strict tables.
  unsafeSettings: async () => [],
};
