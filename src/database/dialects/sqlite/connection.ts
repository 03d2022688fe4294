// A SQLite connection in a thread of its own, seen from the main thread.

import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely';
import { Worker } from 'node:worker_threads';
import { Db, pinnedDialect, type Connection } from '../../dialect.ts';
import type { Answer, Request, WorkerSettings } from './protocol.ts';
import { sqliteWords } from './words.ts';

/** An error of SQLite; `errcode` is its extended result code. */
export class SqliteError extends Error {
  readonly errcode: number | undefined;

  constructor(message: string, errcode: number | undefined) {
    super(message);
    this.name = 'SqliteError';
    this.errcode = errcode;
  }
}

/** The thread ended with statements unanswered: what they did is not known. */
export class SqliteThreadEnded extends Error {
  override name = 'SqliteThreadEnded';
}

// Rows pass through and are gone: a large young generation would only be memory that no request needs.
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 192 };

type Waiting = { resolve(result: QueryResult<unknown>): void; reject(error: Error): void };

export type SqliteConnection = Connection & { close(): Promise<void> };

export function openSqliteConnection(settings: WorkerSettings): SqliteConnection {
  // A thread needs neither the flags nor the environment of the process.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: settings,
    execArgv: [],
    env: {},
    resourceLimits,
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Error | undefined;

  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', (answers: Answer[]) => {
    for (const answer of answers) {
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiter === undefined) continue;
      if ('error' in answer) waiter.reject(new SqliteError(answer.error.message, answer.error.errcode));
      else waiter.resolve({ rows: objects(answer.columns, answer.rows), numAffectedRows: BigInt(answer.changes) });
    }
  });
  worker.on('error', (error) => end(error instanceof Error ? error : new SqliteThreadEnded(String(error))));
  worker.on('exit', () => end(new SqliteThreadEnded('the SQLite thread has ended')));

  // What is asked for in one turn is sent at its end, as one batch.
  let outgoing: Request[] = [];
  const post = (request: Request): void => {
    if (outgoing.push(request) > 1) return;
    process.nextTick(() => {
      const batch = outgoing;
      outgoing = [];
      worker.postMessage(batch);
    });
  };
  const execute = (sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<unknown>> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) {
        reject(ended);
        return;
      }
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      post({ id, sql, parameters });
    });
  const statement = (sql: string) => async (): Promise<void> => void (await execute(sql));
  /** Sent without waiting; should it fail, the thread ends and every later statement with it. */
  const silent = (sql: string): Promise<void> => {
    post({ id: undefined, sql, parameters: [] });
    return Promise.resolve();
  };
  let reading = false;

  const pinned: DatabaseConnection = {
    executeQuery: <R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
      execute(sql, parameters) as Promise<QueryResult<R>>,
    streamQuery: () => {
      throw new Error('streaming is not offered: page instead');
    },
  };
  const transaction = {
    begin: statement('begin immediate'),
    commit: statement('commit'),
    rollback: statement('rollback'),
  };
  const dialect = pinnedDialect(
    pinned,
    {
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    transaction,
  );
  return {
    db: new Db(dialect, sqliteWords),
    ...transaction,
    begin: (mode) => {
      reading = mode === 'snapshot';
      return reading ? silent('begin') : transaction.begin();
    },
    commit: () => (reading ? silent('commit') : transaction.commit()),
    cancel: () => {
      end(new SqliteThreadEnded('the deadline has passed'));
      void worker.terminate();
    },
    close: () =>
      new Promise((resolve) => {
        if (ended !== undefined) {
          resolve();
          return;
        }
        worker.once('exit', () => resolve());
        worker.postMessage('close');
      }),
  };
}

function objects(columns: readonly string[], rows: readonly unknown[][]): unknown[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) object[columns[at] as string] = row[at];
    return object;
  });
}
