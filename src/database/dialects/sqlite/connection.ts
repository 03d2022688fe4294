// A SQLite connection in a thread of its own, seen from the main thread.

import { SqliteAdapter, SqliteIntrospector, type QueryResult } from 'kysely';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { handlesOf, type Connection, type Execute, type Mode } from '../../dialect.ts';
import { PlanningOnce } from './compiler.ts';
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

// Rows pass through and are gone: a larger young generation would be memory that no request needs.
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** What enableCompileCache takes; undefined where this process keeps none. The directory in use has its version below. */
function compileCacheDirectory(): string | undefined {
  const directory = getCompileCacheDir();
  return directory === undefined ? undefined : dirname(directory);
}

type Waiting = { resolve(result: QueryResult<unknown>): void; reject(error: Error): void };

export type SqliteConnection = Connection & {
  readonly mode: Mode;
  /** It has ended, or is about to, and answers nothing any more. */
  ended(): boolean;
  /** The thread is gone, and with it its hold on the file. */
  readonly gone: Promise<void>;
  /** Ends the thread once it has done what it was asked. */
  close(): void;
};

// How long the end of a read waits for company.
const alongMs = 5;

// Each waits as long as the thread's busy timeout, five seconds.
const migratingAttempts = 12;

const parts = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new PlanningOnce(),
  createIntrospector: (db: ConstructorParameters<typeof SqliteIntrospector>[0]) => new SqliteIntrospector(db),
};

export function openSqliteConnection(settings: WorkerSettings): SqliteConnection {
  const workerData = { ...settings, compileCache: compileCacheDirectory() };
  // A thread needs neither the flags nor the environment of the process.
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
    name: `sqlite ${settings.mode}`,
    workerData,
    execArgv: [],
    env: {},
    resourceLimits,
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Error | undefined;
  let doomed: Error | undefined;

  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', (answers: Answer[]) => {
    for (const answer of answers) {
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('error' in answer) {
        const error = new SqliteError(answer.error.message, answer.error.errcode);
        if (answer.error.endedTransaction) doomed ??= error;
        waiter?.reject(error);
      } else waiter?.resolve({ rows: objects(answer.columns, answer.rows), numAffectedRows: BigInt(answer.changes) });
    }
  });
  worker.on('error', (error) =>
    end(hasResultCode(error) ? error : new SqliteThreadEnded('it failed', { cause: error })),
  );
  const gone = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      end(new SqliteThreadEnded('the SQLite thread has ended'));
      resolve();
    });
  });

  // What is asked for in one turn is sent at its end, as one batch.
  let outgoing: Request[] = [];
  let due = false;
  let waitingOut: NodeJS.Timeout | undefined;
  const send = (): void => {
    const batch = outgoing;
    outgoing = [];
    due = false;
    clearTimeout(waitingOut);
    waitingOut = undefined;
    if (batch.length === 0 || ended !== undefined) return;
    try {
      worker.postMessage(batch);
    } catch (error) {
      // A parameter is of a kind that cannot cross, a function say; what went with it is as lost as its statement.
      end(error instanceof Error ? error : new SqliteThreadEnded(String(error)));
      void worker.terminate();
    }
  };
  const post = (request: Request): void => {
    outgoing.push(request);
    if (due) return;
    due = true;
    process.nextTick(send);
  };
  /** Goes with what is sent next, or soon by itself: nobody waits for it, and waking the thread is dear. */
  const postAlong = (request: Request): void => {
    outgoing.push(request);
    waitingOut ??= setTimeout(send, alongMs);
  };
  const execute: Execute = (sql, parameters) =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) {
        reject(ended);
        return;
      }
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      post({ id, sql, parameters });
    });
  const run = async (sql: string): Promise<void> => void (await execute(sql, []));
  /** Sent without waiting; should it fail, the thread ends and every later statement with it. */
  const silent = (sql: string): Request => ({ id: undefined, sql, parameters: [] });

  const openHandle = handlesOf(parts, sqliteWords);
  let reading = false;
  return {
    mode: settings.mode,
    begin: async (mode) => {
      doomed = undefined;
      reading = mode === 'snapshot';
      if (reading) post(silent('begin'));
      else await run('begin immediate');
      return openHandle(execute);
    },
    doomed: () => doomed,
    commit: async () => {
      if (reading) postAlong(silent('commit'));
      else await run('commit');
    },
    rollback: () => run('rollback'),
    migrating: async (work) => {
      // One transaction for all: a migration that fails leaves nothing, and of several processes one migrates.
      await patiently(() => run('begin immediate'));
      const handle = openHandle(execute);
      try {
        const result = await work(handle.db);
        await run('commit');
        return result;
      } catch (error) {
        await run('rollback');
        throw error;
      } finally {
        handle.close();
      }
    },
    cancel: () => {
      end(new SqliteThreadEnded('the deadline has passed'));
      void worker.terminate();
    },
    ended: () => ended !== undefined,
    gone,
    close: () => {
      // Behind what is still on its way.
      process.nextTick(() => {
        send();
        worker.postMessage('close');
      });
    },
  };
}

/** Waits for another process that migrates, however long its busy timeouts are. */
async function patiently(begin: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await begin();
      return;
    } catch (error) {
      if (attempt === migratingAttempts || sqliteWords.classify(error) !== 'rolled-back') throw error;
    }
  }
}

/** What SQLite said when the file was opened. */
function hasResultCode(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

function objects(columns: readonly string[], rows: readonly unknown[][]): unknown[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) object[columns[at] as string] = row[at];
    return object;
  });
}
