// One connection to MariaDB or MySQL: its session's settings, its transactions, and what they may go through.

import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, type QueryResult } from 'kysely';
import type { PoolConnection } from 'mysql2';
import { handlesOf, type Connection, type Execute } from '../../dialect.ts';
import { mysqlWords } from './words.ts';

const sessionSettings = [
  "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  'innodb_lock_wait_timeout = 5',
];

// The server's own belt, above every deadline of the service; the deadlines themselves kill the query.
const statementLimit = 'max_statement_time';
const statementLimitSeconds = 30;

// Each exists only on some servers.
const optionalSettings: readonly [name: string, value: number | string][] = [
  ['innodb_snapshot_isolation', 'on'],
  ['wsrep_sync_wait', 1],
  [statementLimit, statementLimitSeconds],
];

const parts = {
  createAdapter: () => new MysqlAdapter(),
  createQueryCompiler: () => new MysqlQueryCompiler(),
  createIntrospector: (db: ConstructorParameters<typeof MysqlIntrospector>[0]) => new MysqlIntrospector(db),
};

export async function prepareMysqlConnection(raw: PoolConnection): Promise<Omit<Connection, 'cancel'>> {
  // After these the server has rolled back: a COMMIT would answer OK and store nothing, and any other statement would
  // run, and stay, outside of a transaction.
  let doomed: unknown;
  const send = (sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> =>
    new Promise((resolve, reject) => {
      raw.query(sql, [...parameters], (error, result) => {
        if (error) {
          if (mysqlWords.classify(error) === 'rolled-back') doomed ??= error;
          reject(error);
        } else if (Array.isArray(result)) resolve({ rows: result });
        else resolve({ rows: [], numAffectedRows: BigInt((result as { affectedRows: number }).affectedRows) });
      });
    });
  // Statements asked for at once wait for each other here, so that none is sent after one that doomed them all.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const turn = last.then(step);
    last = turn.catch(() => {});
    return turn;
  };
  const execute: Execute = (sql, parameters) =>
    inTurn(() => {
      if (doomed !== undefined) throw doomed;
      return send(sql, parameters);
    });
  const run = (sql: string): Promise<void> =>
    inTurn(async () => {
      doomed = undefined;
      await send(sql, []);
    });
  const set = (settings: readonly string[]): Promise<void> => run(`set session ${settings.join(', ')}`);

  await set(sessionSettings);
  // A consistent snapshot is one only at this level, whatever the server's default.
  await run('set session transaction isolation level repeatable read');
  const offered = await variables(execute);
  const present = optionalSettings.filter(([name]) => offered.has(name));
  if (present.length > 0) await set(present.map(([name, value]) => `${name} = ${value}`));

  const openHandle = handlesOf(parts, mysqlWords);
  let reading = false;
  return {
    begin: async (mode) => {
      reading = mode === 'snapshot';
      await run(reading ? 'start transaction with consistent snapshot, read only' : 'start transaction');
      return openHandle(execute);
    },
    doomed: () => doomed,
    commit: async () => {
      const ended = run('commit');
      // A read has its result; whatever uses the connection next waits its turn behind this.
      if (reading) ended.catch(() => {});
      else await ended;
    },
    rollback: () => run('rollback'),
    migrating: async (work) => {
      const limited = offered.has(statementLimit);
      if (limited) await set([`${statementLimit} = 0`]);
      const handle = openHandle(resuming(execute));
      try {
        return await work(handle.db);
      } finally {
        handle.close();
        if (limited) await set([`${statementLimit} = ${statementLimitSeconds}`]);
      }
    },
  };
}

async function variables(execute: Execute): Promise<Set<string>> {
  const names = optionalSettings.map(([name]) => `'${name}'`).join(', ');
  const { rows } = await execute(`show variables where variable_name in (${names})`, []);
  return new Set(rows.map((row) => (row as { Variable_name: string }).Variable_name));
}

const tableExists = 1050;
const columnExists = 1060;
const indexExists = 1061;
const indexIsGone = 1091;
const done: ReadonlySet<unknown> = new Set([tableExists, columnExists, indexExists, indexIsGone]);

// The server commits every table, column and index at once. A migration that died half way is run again as a whole and
// finds those that it made before, or took away.
function resuming(execute: Execute): Execute {
  return async (sql, parameters) => {
    try {
      return await execute(sql, parameters);
    } catch (error) {
      const { errno } = error as { errno?: unknown };
      if (done.has(errno)) return { rows: [] };
      throw error;
    }
  };
}
