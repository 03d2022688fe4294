// A pool of connections to one tenant's schema on MariaDB or MySQL, some of them only for downloads.

import {
  createConnection,
  createPool,
  type Pool as RawPool,
  type PoolConnection,
  type PoolOptions,
  type TypeCastField,
  type TypeCastNext,
} from 'mysql2';
import type { Connection, Pool } from '../../connection.ts';
import { StorageError } from '../../errors.ts';
import { withTimeout } from '../../with-timeout.ts';
import { createMysqlConnection } from './connection.ts';
import { mysqlDialect } from './mysql-dialect.ts';

type MysqlAddress = Readonly<{ host: string; port: number; user: string; password: string; database: string }>;

const connectTimeoutMs = 5000;
const maxConnections = 10;
const maxDownloadConnections = 2;

// Integers arrive as numbers while exact and as bigints beyond; so do sums, which arrive as decimals.
function typeCast(field: TypeCastField, next: TypeCastNext): unknown {
  if (field.type !== 'LONGLONG' && field.type !== 'NEWDECIMAL') return next();
  const text = field.string();
  if (text === null) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}

/** Connection options that every connection of the service has. */
export function mysqlPoolOptions(address: Omit<MysqlAddress, 'database'> & { database?: string }): PoolOptions {
  return {
    ...address,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    // Whoever packed it reads it, exactly.
    jsonStrings: true,
    connectTimeout: connectTimeoutMs,
    multipleStatements: false,
    typeCast,
  };
}

type MysqlConnection = Connection & { readonly raw: PoolConnection };

function createRawPool(address: MysqlAddress, connectionLimit: number): RawPool {
  const pool = createPool({
    ...mysqlPoolOptions(address),
    connectionLimit,
    maxIdle: connectionLimit,
    queueLimit: 1000,
    waitForConnections: true,
    enableKeepAlive: true,
    keepAliveInitialDelay: 30_000,
  });
  // The pool listens only to the first error of a connection. An error without a listener would end the process.
  pool.on('connection', (raw) => raw.on('error', () => {}));
  return pool;
}

export function openMysqlPool(address: MysqlAddress): Pool {
  const pool = createRawPool(address, maxConnections);
  const downloadPool = createRawPool(address, maxDownloadConnections);
  const connectionsByRaw = new WeakMap<PoolConnection, Promise<MysqlConnection>>();
  const acquired = new Set<PoolConnection>();
  let isClosed = false;
  let notifyIdle = (): void => {};

  const acquireRaw = (from: RawPool): Promise<PoolConnection> =>
    new Promise((resolve, reject) => {
      from.getConnection((error, connection) => {
        if (error) reject(new StorageError('unavailable', error));
        else resolve(connection);
      });
    });
  const prepare = async (raw: PoolConnection): Promise<MysqlConnection> => ({
    ...(await withTimeout(connectTimeoutMs, 'unavailable', createMysqlConnection(raw))),
    raw,
    cancel: () => killQuery(raw.threadId, address),
  });
  const release = (raw: PoolConnection, broken: boolean): void => {
    acquired.delete(raw);
    if (broken) raw.destroy();
    else raw.release();
    if (acquired.size === 0) notifyIdle();
  };
  return {
    dialect: mysqlDialect,
    acquire: async (group) => {
      if (isClosed) throw new StorageError('unavailable');
      const raw = await acquireRaw(group === 'download' ? downloadPool : pool);
      acquired.add(raw);
      if (isClosed) {
        release(raw, false);
        throw new StorageError('unavailable');
      }
      const connection = connectionsByRaw.get(raw) ?? prepare(raw);
      connectionsByRaw.set(raw, connection);
      try {
        return await connection;
      } catch (error) {
        release(raw, true);
        throw error;
      }
    },
    release: (connection, broken) => release((connection as MysqlConnection).raw, broken),
    close: async () => {
      isClosed = true;
      if (acquired.size > 0) await new Promise<void>((resolve) => (notifyIdle = resolve));
      // A connection that never opened reports its error once more. There is nothing left to close.
      await Promise.all([pool, downloadPool].map((each) => new Promise<void>((resolve) => each.end(() => resolve()))));
    },
  };
}

// Giving up waiting would leave the query running in the server.
function killQuery(threadId: number | null, address: MysqlAddress): void {
  if (threadId === null) return;
  const controlConnection = createConnection(mysqlPoolOptions(address));
  const timer = setTimeout(() => controlConnection.destroy(), connectTimeoutMs);
  controlConnection.on('error', () => controlConnection.destroy());
  controlConnection.query(`kill query ${threadId}`, () => {
    clearTimeout(timer);
    controlConnection.destroy();
  });
}
