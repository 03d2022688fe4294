// Pooled connections to one tenant's schema on MariaDB or MySQL.

import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, type DatabaseConnection, type QueryResult } from 'kysely';
import {
  createConnection,
  createPool,
  type PoolConnection,
  type PoolOptions,
  type TypeCastField,
  type TypeCastNext,
} from 'mysql2';
import { Db, pinnedDialect, type Connection, type Pool } from '../../dialect.ts';
import { StorageError } from '../../errors.ts';
import { mysqlWords } from './words.ts';

export type MysqlAddress = Readonly<{ host: string; port: number; user: string; password: string; database: string }>;

const connectTimeoutMs = 5000;

// The server's own belt, above every deadline of the service; the deadlines themselves kill the query.
const statementLimitSeconds = 30;

// Integers arrive as numbers while exact and as bigints beyond; sums arrive as decimals and are always integers here.
function typeCast(field: TypeCastField, next: TypeCastNext): unknown {
  if (field.type !== 'LONGLONG' && field.type !== 'NEWDECIMAL') return next();
  const text = field.string();
  if (text === null) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Connection options that every connection of the service has. */
export function mysqlOptions(address: Omit<MysqlAddress, 'database'> & { database?: string }): PoolOptions {
  return {
    ...address,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    connectTimeout: connectTimeoutMs,
    multipleStatements: false,
    typeCast,
  };
}

const sessionSettings = [
  "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  'innodb_lock_wait_timeout = 5',
];
// Each exists only on some servers.
const optionalSettings: readonly [name: string, value: string][] = [
  ['innodb_snapshot_isolation', 'on'],
  ['wsrep_sync_wait', '1'],
  ['max_statement_time', String(statementLimitSeconds)],
];

type MysqlConnection = Connection & { readonly raw: PoolConnection };

export function openMysqlPool(address: MysqlAddress): Pool {
  const pool = createPool({
    ...mysqlOptions(address),
    connectionLimit: 10,
    maxIdle: 10,
    idleTimeout: 60_000,
    queueLimit: 1000,
    waitForConnections: true,
    enableKeepAlive: true,
  });
  const known = new WeakMap<object, Promise<MysqlConnection>>();
  const acquireRaw = (): Promise<PoolConnection> =>
    new Promise((resolve, reject) => {
      pool.getConnection((error, connection) => {
        if (error) reject(new StorageError('unavailable', error));
        else resolve(connection);
      });
    });
  return {
    words: mysqlWords,
    acquire: async () => {
      const raw = await acquireRaw();
      const connection = known.get(raw) ?? prepare(raw, address);
      known.set(raw, connection);
      try {
        return await connection;
      } catch (error) {
        raw.destroy();
        throw error;
      }
    },
    release: (connection, broken) => {
      const { raw } = connection as MysqlConnection;
      if (broken) raw.destroy();
      else raw.release();
    },
    close: () => new Promise((resolve, reject) => pool.end((error) => (error ? reject(error) : resolve()))),
  };
}

async function prepare(raw: PoolConnection, address: MysqlAddress): Promise<MysqlConnection> {
  // After these the server has rolled back: a COMMIT would answer OK and store nothing.
  let doomed: unknown;
  const execute = (sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<unknown>> =>
    new Promise((resolve, reject) => {
      raw.query(sql, [...parameters], (error, result) => {
        if (error) {
          if (mysqlWords.classify(error) === 'rolled-back') doomed ??= error;
          reject(error);
        } else if (Array.isArray(result)) resolve({ rows: result });
        else resolve({ rows: [], numAffectedRows: BigInt((result as { affectedRows: number }).affectedRows) });
      });
    });
  const statement = (sql: string) => async (): Promise<void> => {
    doomed = undefined;
    await execute(sql);
  };
  const begin = statement('start transaction');
  const beginSnapshot = statement('start transaction with consistent snapshot, read only');
  const commit = async (): Promise<void> => {
    if (doomed !== undefined) throw doomed;
    await execute('commit');
  };
  const rollback = statement('rollback');

  await execute(`set session ${sessionSettings.join(', ')}`);
  const names = optionalSettings.map(([name]) => `'${name}'`).join(', ');
  const { rows } = await execute(`show variables where variable_name in (${names})`);
  const offered = new Set(rows.map((row) => (row as { Variable_name: string }).Variable_name));
  const present = optionalSettings.filter(([name]) => offered.has(name));
  if (present.length > 0)
    await execute(`set session ${present.map(([name, value]) => `${name} = ${value}`).join(', ')}`);

  const pinned: DatabaseConnection = {
    executeQuery: <R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
      execute(sql, parameters) as Promise<QueryResult<R>>,
    streamQuery: () => {
      throw new Error('streaming is not offered: page instead');
    },
  };
  const dialect = pinnedDialect(
    pinned,
    {
      createAdapter: () => new MysqlAdapter(),
      createQueryCompiler: () => new MysqlQueryCompiler(),
      createIntrospector: (db) => new MysqlIntrospector(db),
    },
    { begin, commit, rollback },
  );
  return {
    raw,
    db: new Db(dialect, mysqlWords),
    begin: (mode) => (mode === 'write' ? begin() : beginSnapshot()),
    commit,
    rollback,
    cancel: () => killQuery(raw.threadId, address),
  };
}

// Giving up waiting would leave the query running in the server.
function killQuery(threadId: number | null, address: MysqlAddress): void {
  if (threadId === null) return;
  const control = createConnection(mysqlOptions(address));
  control.on('error', () => control.destroy());
  control.query(`kill query ${threadId}`, () => control.destroy());
}
