// Reads which tables and columns a schema has. Kysely's own introspector joins the columns with the tables of the whole
// server, so that every schema on the server makes it slower.

import { MysqlIntrospector, sql, type DatabaseIntrospector, type Kysely } from 'kysely';

type TableRow = { readonly name: string; readonly type: string };
type ColumnRow = {
  readonly tableName: string;
  readonly name: string;
  readonly dataType: string;
  readonly defaultValue: string | null;
  readonly nullable: 'YES' | 'NO';
  readonly extra: string;
};

export const createMysqlIntrospector = (db: Kysely<unknown>): DatabaseIntrospector => ({
  getSchemas: () => new MysqlIntrospector(db).getSchemas(),
  getTables: async () => {
    const { rows: tables } = await sql<TableRow>`
      select table_name as name, table_type as type from information_schema.tables
      where table_schema = database() order by table_name`.execute(db);
    const { rows: columns } = await sql<ColumnRow>`
      select table_name as tableName, column_name as name, data_type as dataType, column_default as defaultValue,
        is_nullable as nullable, extra
      from information_schema.columns where table_schema = database() order by table_name, ordinal_position`.execute(
      db,
    );
    const columnsByTable = Map.groupBy(columns, ({ tableName }) => tableName);
    return tables.map(({ name, type }) => ({
      name,
      isView: type === 'VIEW',
      isForeign: false,
      columns: (columnsByTable.get(name) ?? []).map((column) => ({
        name: column.name,
        dataType: column.dataType,
        isAutoIncrementing: column.extra.toLowerCase().includes('auto_increment'),
        isNullable: column.nullable === 'YES',
        hasDefaultValue: column.defaultValue !== null,
      })),
    }));
  },
});
