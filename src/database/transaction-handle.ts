// Makes the handle that queries run on while a transaction lasts.

import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { DefaultQueryExecutor } from 'kysely';
import type { TransactionHandle } from './connection.ts';
import { Db, type ExecuteSql, type PreparedQuery, type SqlDialect } from './db.ts';

type KyselyFactories = Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>;

/** Makes the handles of one connection; those things that they have in common are made once. */
export function createTransactionHandleFactory(
  factories: KyselyFactories,
  dialect: SqlDialect,
): (execute: ExecuteSql) => TransactionHandle {
  const kyselyDialect: Dialect = { ...factories, createDriver: () => unusedDriver };
  const compiler = factories.createQueryCompiler();
  const adapter = factories.createAdapter();
  const prepared = new Map<string, PreparedQuery>();
  return (execute) => {
    let closed = false;
    const executeOpen: ExecuteSql = (sql, parameters) =>
      closed ? Promise.reject(new Error('the transaction of this handle has ended')) : execute(sql, parameters);
    const connection = createDatabaseConnection(executeOpen);
    const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection: (use) => use(connection) });
    return {
      db: new Db(
        { config: { dialect: kyselyDialect }, dialect: kyselyDialect, driver: unusedDriver, executor },
        { dialect, preparedQueries: prepared, execute: executeOpen },
      ),
      close: () => {
        closed = true;
      },
    };
  };
}

/** For work that is consistent only as a single statement. */
export function executeOnce(execute: ExecuteSql): ExecuteSql {
  let isUsed = false;
  return (sql, parameters) => {
    if (isUsed) return Promise.reject(new Error('a read of a single statement has asked for another one'));
    isUsed = true;
    return execute(sql, parameters);
  };
}

function createDatabaseConnection(execute: ExecuteSql): DatabaseConnection {
  return {
    executeQuery: <R>({ sql, parameters }: CompiledQuery) => execute(sql, parameters) as Promise<QueryResult<R>>,
    streamQuery: () => {
      throw new Error('streaming is not offered: page instead');
    },
  };
}

const rejectNestedTransaction = (): Promise<never> => Promise.reject(new Error('a transaction is already under way'));

/** A handle has its connection, and the transaction that was begun for it. */
const unusedDriver: Driver = {
  init: async () => {},
  acquireConnection: rejectNestedTransaction,
  beginTransaction: rejectNestedTransaction,
  commitTransaction: rejectNestedTransaction,
  rollbackTransaction: rejectNestedTransaction,
  releaseConnection: async () => {},
  destroy: async () => {},
};
