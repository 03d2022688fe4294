// A connection to MariaDB or MySQL: session settings and transactions.

import { MysqlAdapter, MysqlQueryCompiler, type QueryResult } from 'kysely';
import type { PoolConnection } from 'mysql2';
import type { Connection, TransactionMode } from '../../connection.ts';
import type { ExecuteSql } from '../../db.ts';
import { createTransactionHandleFactory, executeOnce } from '../../transaction-handle.ts';
import { createMysqlIntrospector } from './introspector.ts';
import { mysqlDialect } from './mysql-dialect.ts';

const sessionSettings = [
  "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  'innodb_lock_wait_timeout = 5',
];

// A limit of the server, above every deadline of the service. The deadlines themselves kill the query.
const statementLimit = 'max_statement_time';
const statementLimitSeconds = 30;

// Each exists only on some servers.
const optionalSettings: readonly [name: string, value: number | string][] = [
  ['innodb_snapshot_isolation', 'on'],
  ['wsrep_sync_wait', 1],
  [statementLimit, statementLimitSeconds],
];

/** On a database, a table or a column, or of the user. */
const missingRight: ReadonlySet<number | undefined> = new Set([1044, 1142, 1143, 1227]);

const kyselyFactories = {
  createAdapter: () => new MysqlAdapter(),
  createQueryCompiler: () => new MysqlQueryCompiler(),
  createIntrospector: createMysqlIntrospector,
};

/** @param options `onRefused` is called where the user of the connection lacks a right */
export async function createMysqlConnection(
  raw: PoolConnection,
  { onRefused }: { readonly onRefused: () => void },
): Promise<Omit<Connection, 'cancel'>> {
  // After these the server has rolled back: a COMMIT would answer OK and store nothing, and any other statement would
  // run, and stay, outside of a transaction.
  let aborted: unknown;
  const sendStatement = (sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> =>
    new Promise((resolve, reject) => {
      raw.query(sql, [...parameters], (error, result) => {
        if (error) {
          if (mysqlDialect.classifyError(error) === 'rolled-back') aborted ??= error;
          if (missingRight.has(error.errno)) onRefused();
          reject(error);
        } else if (Array.isArray(result)) resolve({ rows: result });
        else resolve({ rows: [], numAffectedRows: BigInt((result as { affectedRows: number }).affectedRows) });
      });
    });
  // Statements that are requested together wait for each other here, so that none is sent after one whose error ended the transaction.
  let lastStatement: Promise<unknown> = Promise.resolve();
  const runInOrder = <T>(step: () => Promise<T>): Promise<T> => {
    const turn = lastStatement.then(step);
    lastStatement = turn.catch(() => {});
    return turn;
  };
  const execute: ExecuteSql = (sql, parameters) =>
    runInOrder(() => {
      if (aborted !== undefined) throw aborted;
      return sendStatement(sql, parameters);
    });
  const executeCommand = (sql: string): Promise<void> =>
    runInOrder(async () => {
      aborted = undefined;
      await sendStatement(sql, []);
    });
  const availableVariables = await setUpSession(execute, executeCommand);
  const createHandle = createTransactionHandleFactory(kyselyFactories, mysqlDialect);
  let mode: TransactionMode = 'snapshot';
  return {
    begin: async (begunMode) => {
      mode = begunMode;
      if (mode === 'statement') return createHandle(executeOnce(execute));
      await executeCommand(
        mode === 'snapshot' ? 'start transaction with consistent snapshot, read only' : 'start transaction',
      );
      return createHandle(execute);
    },
    aborted: () => aborted,
    commit: async () => {
      if (mode === 'statement') return;
      const ended = executeCommand('commit');
      // The read has its result already. The next user of the connection waits for this statement.
      if (mode === 'snapshot') ended.catch(() => {});
      else await ended;
    },
    rollback: () => executeCommand('rollback'),
    runMigrations: async (work) => {
      const limited = availableVariables.has(statementLimit);
      if (limited) await executeCommand(`set session ${statementLimit} = 0`);
      const handle = createHandle(ignoringAlreadyDone(execute));
      try {
        return await work(handle.db);
      } finally {
        handle.close();
        if (limited) await executeCommand(`set session ${statementLimit} = ${statementLimitSeconds}`);
      }
    },
  };
}

/** Sets the variables of the session; returns the optional ones that the server has. */
async function setUpSession(
  execute: ExecuteSql,
  executeCommand: (sql: string) => Promise<void>,
): Promise<ReadonlySet<string>> {
  await executeCommand(`set session ${sessionSettings.join(', ')}`);
  // A consistent snapshot needs this level, whatever the server's default is.
  await executeCommand('set session transaction isolation level repeatable read');
  const availableVariables = await listOptionalVariables(execute);
  const settings = optionalSettings.filter(([name]) => availableVariables.has(name));
  if (settings.length > 0)
    await executeCommand(`set session ${settings.map(([name, value]) => `${name} = ${value}`).join(', ')}`);
  return availableVariables;
}

async function listOptionalVariables(execute: ExecuteSql): Promise<Set<string>> {
  const names = optionalSettings.map(([name]) => `'${name}'`).join(', ');
  const { rows } = await execute(`show variables where variable_name in (${names})`, []);
  return new Set(rows.map((row) => (row as { Variable_name: string }).Variable_name));
}

const tableExists = 1050;
const columnExists = 1060;
const indexExists = 1061;
const indexMissing = 1091;
const alreadyDoneErrors: ReadonlySet<unknown> = new Set([tableExists, columnExists, indexExists, indexMissing]);

// The server commits every table, column and index at once. A migration that was interrupted is run again as a whole, and
// skips what it has already created or removed.
function ignoringAlreadyDone(execute: ExecuteSql): ExecuteSql {
  return async (sql, parameters) => {
    try {
      return await execute(sql, parameters);
    } catch (error) {
      const { errno } = error as { errno?: unknown };
      if (alreadyDoneErrors.has(errno)) return { rows: [] };
      throw error;
    }
  };
}
