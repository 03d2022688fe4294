// What differs on MariaDB and MySQL: InnoDB, binary collation, and the error numbers of both, with those of Galera.

import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ColumnPlace, SqlDialect } from '../../db.ts';
import { insertRows, mergeColumns } from '../../statements/insert-rows.ts';
import { mysqlErrors } from './diagnose.ts';

type ServerVariable = { readonly Variable_name: string; readonly Value: string };

// Those of these settings that a server has must have these values: an acknowledged commit is on disk, values that do not fit
// are refused, and a read never sees half of a concurrent write.
const requiredSettings: Readonly<Record<string, RegExp>> = {
  innodb_flush_log_at_trx_commit: /^1$/,
  sql_mode: /STRICT_(?:ALL|TRANS)_TABLES/,
  innodb_snapshot_isolation: /^ON$/i,
  wsrep_sync_wait: /^[1-9]/,
};

export const mysqlDialect: SqlDialect = {
  engine: 'mysql',
  int64: sql`bigint`,
  text: (length) => sql.raw(`varchar(${length})`),
  longText: sql`longtext`,
  withTableOptions: (table) => table.modifyEnd(sql`engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`),
  highHalf: (column) => sql<number>`${column} div 4294967296`,
  lowHalf: (column) => sql<number>`${column} mod 4294967296`,
  upsertRows: (db, table, rows, columns) =>
    insertRows(db, table, rows, {
      shape: JSON.stringify(columns),
      build: () => {
        const both = (column: string) => [sql.ref(column), sql`values(${sql.ref(column)})`];
        return sql`on duplicate key update ${mergeColumns(columns, both, { min: 'least', max: 'greatest' })}`;
      },
    }),
  // Not one pattern of the whole text: `$` matches before a line break at its end, too.
  isPositiveInteger: (text) => sql`(${text} regexp '^[1-9]' and ${text} not regexp '[^0-9]')`,
  characterLength: (column) => sql<number>`char_length(${column})`,
  aggregateJson: (value) => sql`json_arrayagg(${value})`,
  // Its `group_concat` ends after `group_concat_max_len` bytes.
  joinTexts: undefined,
  listedIds: (ids) => sql`json_table(${ids}, '$[*]' columns (place for ordinality, id bigint path '$'))`,
  inList: (value, ids) => sql`${value} in (${sql.raw(ids.join())})`,
  byIndex: (index) => sql`force index (${sql.ref(index)})`,
  // The server stops a killed query by itself.
  interruptCheck: () => sql`true`,
  hasTable: async (db, name) => {
    const { rows } = await sql`
      select 1 from information_schema.tables where table_schema = database() and table_name = ${name}`.execute(db);
    return rows.length > 0;
  },
  listColumns: async (db) => {
    // Not one query: a join would read about every schema of the server.
    const { rows: columns } = await sql<Omit<ColumnPlace, 'keyPlace'>>`
      select table_name as \`table\`, column_name as \`column\` from information_schema.columns
      where table_schema = database() order by table_name, ordinal_position`.execute(db);
    const { rows: keys } = await sql<ColumnPlace>`
      select table_name as \`table\`, column_name as \`column\`, seq_in_index as keyPlace
      from information_schema.statistics where table_schema = database() and index_name = 'PRIMARY'`.execute(db);
    const places = new Map(keys.map(({ table, column, keyPlace }) => [`${table}.${column}`, keyPlace]));
    return columns.map((each) => ({ ...each, keyPlace: places.get(`${each.table}.${each.column}`) ?? 0 }));
  },
  // It reads a whole index for a comparison of tuples, and only a range for what is equal to it.
  isAfterKey: (columns, key) => {
    const isAfter = (index: number): RawBuilder<SqlBool> => {
      const isGreater = sql<SqlBool>`${sql.ref(columns[index] ?? '')} > ${key[index]}`;
      return index === columns.length - 1
        ? isGreater
        : sql<SqlBool>`(${isGreater} or (${sql.ref(columns[index] ?? '')} = ${key[index]} and ${isAfter(index + 1)}))`;
    };
    return isAfter(0);
  },
  classifyError: (error) => {
    const { errno, code, fatal } = error as { errno?: unknown; code?: unknown; fatal?: unknown };
    const [known] = mysqlErrors[Number(errno)] ?? [];
    if (known !== undefined) return known;
    if (fatal === true || (typeof code === 'string' && /^(PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|ENOENT)/.test(code)))
      return 'outcome-unknown';
    return 'defect';
  },
  listUnsafeSettings: async (db) => {
    const names = sql.join(Object.keys(requiredSettings));
    const { rows } = await sql<ServerVariable>`show variables where variable_name in (${names})`.execute(db);
    return rows
      .filter(({ Variable_name: name, Value: value }) => requiredSettings[name]?.test(value) === false)
      .map(({ Variable_name }) => Variable_name);
  },
};
