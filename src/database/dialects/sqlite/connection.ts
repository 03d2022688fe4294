// A SQLite connection in a thread of its own, seen from the main thread.

import { SqliteAdapter, SqliteIntrospector, type QueryResult } from 'kysely';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createTransactionHandleFactory, type Connection, type ExecuteSql, type TransactionMode } from '../../db.ts';
import { ReusablePlanQueryCompiler } from './query-compiler.ts';
import type { StatementAnswer, StatementRequest, SqliteWorkerSettings } from './protocol.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

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
export class SqliteThreadEndedError extends Error {
  override name = 'SqliteThreadEnded';
}

// Rows pass through and are gone: a larger young generation would be memory that no request needs.
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** What enableCompileCache takes; undefined where this process keeps none. The directory in use has its version below. */
function compileCacheDirectory(): string | undefined {
  const directory = getCompileCacheDir();
  return directory === undefined ? undefined : dirname(directory);
}

type PendingStatement = { resolve(result: QueryResult<unknown>): void; reject(error: Error): void };

export type SqliteConnection = Connection & {
  readonly mode: TransactionMode;
  /** It has ended, or is about to, and answers nothing any more. */
  hasEnded(): boolean;
  /** The thread is gone, and with it its hold on the file. */
  readonly exited: Promise<void>;
  /** Ends the thread once it has done what it was asked. */
  close(): void;
};

// How long the end of a read waits for company.
const deferredSendDelayMs = 5;

// Each waits as long as the thread's busy timeout, five seconds.
const maxMigrationBeginAttempts = 12;

const kyselyFactories = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new ReusablePlanQueryCompiler(),
  createIntrospector: (db: ConstructorParameters<typeof SqliteIntrospector>[0]) => new SqliteIntrospector(db),
};

export function openSqliteConnection(settings: SqliteWorkerSettings): SqliteConnection {
  const workerData = { ...settings, compileCache: compileCacheDirectory() };
  // A thread needs neither the flags nor the environment of the process.
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
    name: `sqlite ${settings.mode}`,
    workerData,
    execArgv: [],
    env: {},
    resourceLimits,
  });
  const pendingById = new Map<number, PendingStatement>();
  let lastId = 0;
  let endError: Error | undefined;
  let aborted: Error | undefined;

  const rejectPending = (error: Error): void => {
    endError ??= error;
    for (const { reject } of pendingById.values()) reject(endError);
    pendingById.clear();
  };
  worker.on('message', (answers: StatementAnswer[]) => {
    for (const answer of answers) {
      const waiter = pendingById.get(answer.id);
      pendingById.delete(answer.id);
      if ('error' in answer) {
        const error = new SqliteError(answer.error.message, answer.error.errcode);
        if (answer.error.endedTransaction) aborted ??= error;
        waiter?.reject(error);
      } else
        waiter?.resolve({ rows: rowsToObjects(answer.columns, answer.rows), numAffectedRows: BigInt(answer.changes) });
    }
  });
  worker.on('error', (error) =>
    rejectPending(hasResultCode(error) ? error : new SqliteThreadEndedError('it failed', { cause: error })),
  );
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      rejectPending(new SqliteThreadEndedError('the SQLite thread has ended'));
      resolve();
    });
  });

  // What is asked for in one turn is sent at its end, as one batch.
  let outgoing: StatementRequest[] = [];
  let sendScheduled = false;
  let deferredTimer: NodeJS.Timeout | undefined;
  const sendBatch = (): void => {
    const batch = outgoing;
    outgoing = [];
    sendScheduled = false;
    clearTimeout(deferredTimer);
    deferredTimer = undefined;
    if (batch.length === 0 || endError !== undefined) return;
    try {
      worker.postMessage(batch);
    } catch (error) {
      // A parameter is of a kind that cannot cross, a function say; what went with it is as lost as its statement.
      rejectPending(error instanceof Error ? error : new SqliteThreadEndedError(String(error)));
      void worker.terminate();
    }
  };
  const post = (request: StatementRequest): void => {
    outgoing.push(request);
    if (sendScheduled) return;
    sendScheduled = true;
    process.nextTick(sendBatch);
  };
  /** Goes with what is sent next, or soon by itself: nobody waits for it, and waking the thread is dear. */
  const postDeferred = (request: StatementRequest): void => {
    outgoing.push(request);
    deferredTimer ??= setTimeout(sendBatch, deferredSendDelayMs);
  };
  const execute: ExecuteSql = (sql, parameters) =>
    new Promise((resolve, reject) => {
      if (endError !== undefined) {
        reject(endError);
        return;
      }
      const id = ++lastId;
      pendingById.set(id, { resolve, reject });
      post({ id, sql, parameters });
    });
  const executeCommand = async (sql: string): Promise<void> => void (await execute(sql, []));
  /** Sent without waiting; should it fail, the thread ends and every later statement with it. */
  const unansweredRequest = (sql: string): StatementRequest => ({ id: undefined, sql, parameters: [] });

  const createHandle = createTransactionHandleFactory(kyselyFactories, sqliteDialect);
  let isSnapshot = false;
  return {
    mode: settings.mode,
    begin: async (mode) => {
      aborted = undefined;
      isSnapshot = mode === 'snapshot';
      if (isSnapshot) post(unansweredRequest('begin'));
      else await executeCommand('begin immediate');
      return createHandle(execute);
    },
    aborted: () => aborted,
    commit: async () => {
      if (isSnapshot) postDeferred(unansweredRequest('commit'));
      else await executeCommand('commit');
    },
    rollback: () => executeCommand('rollback'),
    runMigrations: async (work) => {
      // One transaction for all: a migration that fails leaves nothing, and of several processes one migrates.
      await retryBegin(() => executeCommand('begin immediate'));
      const handle = createHandle(execute);
      try {
        const result = await work(handle.db);
        await executeCommand('commit');
        return result;
      } catch (error) {
        await executeCommand('rollback');
        throw error;
      } finally {
        handle.close();
      }
    },
    cancel: () => {
      rejectPending(new SqliteThreadEndedError('the deadline has passed'));
      void worker.terminate();
    },
    hasEnded: () => endError !== undefined,
    exited,
    close: () => {
      // Behind what is still on its way.
      process.nextTick(() => {
        sendBatch();
        worker.postMessage('close');
      });
    },
  };
}

/** Waits for another process that migrates, however long its busy timeouts are. */
async function retryBegin(begin: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await begin();
      return;
    } catch (error) {
      if (attempt === maxMigrationBeginAttempts || sqliteDialect.classifyError(error) !== 'rolled-back') throw error;
    }
  }
}

/** What SQLite said when the file was opened. */
function hasResultCode(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

function rowsToObjects(columns: readonly string[], rows: readonly unknown[][]): unknown[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) object[columns[at] as string] = row[at];
    return object;
  });
}
