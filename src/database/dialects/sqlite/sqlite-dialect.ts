// What differs on SQLite: STRICT tables, whose integers have 64 bits, and result codes.

import { sql, type SqlBool } from 'kysely';
import type { ColumnPlace, SqlDialect } from '../../db.ts';
import { insertRows, mergeColumns } from '../../statements/insert-rows.ts';
import { sqliteErrors } from './diagnose.ts';

const duplicateCodes = new Set([1555, 2067, 2579]); // PRIMARYKEY, UNIQUE, ROWID

const sqliteFull = 13;
const sqliteWriteError = 778;

/**
 * Whether a COMMIT failed because the write-ahead log could not be written, on a full disk for instance. The mark of a
 * commit is the last that is written of a transaction: without it, recovery after a crash leaves the transaction out.
 * Where the log was written and only its synchronisation failed, a crash could still bring the transaction back.
 */
export function isFailedLogWrite(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return errcode === sqliteFull || errcode === sqliteWriteError;
}

// Up to so many ids are written into the statement, where the planner sees that they are few. More are one parameter,
// since prepared statements are kept by their texts.
const maxInlineIds = 20;

export const sqliteDialect: SqlDialect = {
  engine: 'sqlite',
  int64: sql`integer`,
  text: () => sql`text`,
  longText: sql`text`,
  withTableOptions: (table) => table.modifyEnd(sql`strict, without rowid`),
  highHalf: (column) => sql<number>`${column} / 4294967296`,
  lowHalf: (column) => sql<number>`${column} % 4294967296`,
  upsertRows: (db, table, rows, columns) =>
    insertRows(db, table, rows, {
      shape: JSON.stringify(columns),
      build: () => {
        const target = sql.join(columns.key.map((column) => sql.ref(column)));
        const both = (column: string) => [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)];
        return sql`on conflict (${target}) do update set ${mergeColumns(columns, both, { min: 'min', max: 'max' })}`;
      },
    }),
  isPositiveInteger: (text) => sql`(${text} glob '[1-9]*' and ${text} not glob '*[^0-9]*')`,
  characterLength: (column) => sql<number>`length(${column})`,
  aggregateJson: (value) => sql`json_group_array(${value})`,
  joinTexts: (text, separator) => sql`group_concat(${text}, ${separator})`,
  listedIds: (ids) => sql`(select value as id, key as place from json_each(${ids}))`,
  inList: (value, ids) =>
    ids.length <= maxInlineIds
      ? sql`${value} in (${sql.join(ids)})`
      : sql`${value} in (select value from json_each(${`[${ids.join()}]`}))`,
  // SQLite has no statistics here, so it takes the index that has the most of what is asked.
  byIndex: () => sql``,
  interruptCheck: (column) => sql`(${column} & 1023 <> 0 or alive())`,
  hasTable: async (db, name) => {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db);
    return rows.length > 0;
  },
  listColumns: async (db) => {
    const { rows } = await sql<ColumnPlace>`
      select m.name as "table", c.name as "column", c.pk as "keyPlace"
      from sqlite_master as m, pragma_table_info(m.name) as c
      where m.type = 'table' and m.name not like 'sqlite~_%' escape '~' order by m.name, c.cid`.execute(db);
    return rows;
  },
  isAfterKey: (columns, key) =>
    sql<SqlBool>`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(key)})`,
  classifyError: (error) => {
    const { name, errcode } = error as { name?: unknown; errcode?: unknown };
    if (name === 'SqliteThreadEnded') return 'outcome-unknown';
    if (typeof errcode !== 'number') return 'defect';
    if (duplicateCodes.has(errcode)) return 'duplicate';
    return sqliteErrors[errcode & 0xff]?.[0] ?? 'defect';
  },
  // Each connection sets its own: write-ahead log, full synchronisation, strict tables.
  listUnsafeSettings: async () => [],
};
