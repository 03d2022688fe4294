// Sends statements to a SQLite thread and returns its answers. All statements of one turn of the event loop are sent as
// one batch.

import type { QueryResult } from 'kysely';
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../../lib/threads/worker-thread.ts';
import type { ExecuteSql } from '../../db.ts';
import type { SqliteWorkerSettings, StatementAnswer, StatementRequest } from './protocol.ts';
import { SqliteError, SqliteThreadEndedError } from './sqlite-errors.ts';

// Rows live only briefly in the thread: a larger young generation would be memory that no request needs.
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** How long a statement without a waiting caller may wait to be sent with others. */
const deferredSendDelayMs = 5;

type PendingStatement = { resolve(result: QueryResult<unknown>): void; reject(error: Error): void };

export class StatementChannel {
  readonly #worker: Worker;
  readonly #pendingById = new Map<number, PendingStatement>();
  readonly #rowReader = new RowReader();
  #lastId = 0;
  #outgoing: StatementRequest[] = [];
  #isSendScheduled = false;
  #deferredTimer: NodeJS.Timeout | undefined;
  #endError: Error | undefined;
  #aborted: Error | undefined;
  #isOpen = false;
  readonly #opened = Promise.withResolvers<void>();
  /** Resolves when the thread has opened the file, or has failed to. */
  readonly opened = this.#opened.promise;
  /** Resolves when the thread is gone, and with it its hold on the file. */
  readonly exited: Promise<void>;

  constructor(settings: SqliteWorkerSettings) {
    this.#worker = startWorker({
      module: new URL('./worker.ts', import.meta.url),
      name: `sqlite ${settings.group}`,
      resourceLimits,
      data: settings,
    });
    this.#worker.on('message', (answers: StatementAnswer[]) => {
      this.#isOpen = true;
      this.#opened.resolve();
      for (const answer of answers) this.#settle(answer);
    });
    this.#worker.on('error', (error) =>
      this.#end(hasResultCode(error) ? error : new SqliteThreadEndedError('it failed', { cause: error })),
    );
    this.exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#end(new SqliteThreadEndedError('the SQLite thread has ended'));
        resolve();
      });
    });
  }

  /** The thread has, or had, the file open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The thread has ended, or is ending, and answers no further statements. */
  get hasEnded(): boolean {
    return this.#endError !== undefined;
  }

  /** The error with which SQLite gave up the transaction by itself. */
  get aborted(): Error | undefined {
    return this.#aborted;
  }

  beginTransaction(): void {
    this.#aborted = undefined;
  }

  readonly execute: ExecuteSql = (sql, parameters) =>
    new Promise((resolve, reject) => {
      if (this.#endError !== undefined) {
        reject(this.#endError);
        return;
      }
      const id = ++this.#lastId;
      this.#pendingById.set(id, { resolve, reject });
      this.#post({ id, sql, parameters });
    });

  async executeCommand(sql: string): Promise<void> {
    await this.execute(sql, []);
  }

  /** No caller waits for its answer. If it fails, every later statement of the transaction fails. */
  postCommand(sql: string): void {
    this.#post({ id: undefined, sql, parameters: [] });
  }

  /**
   * Posts a command that is sent with the next statement or after some milliseconds: to wake the thread only for it
   * costs too much.
   */
  postDeferredCommand(sql: string): void {
    this.#outgoing.push({ id: undefined, sql, parameters: [] });
    this.#deferredTimer ??= setTimeout(() => this.#sendBatch(), deferredSendDelayMs);
  }

  cancel(): void {
    this.#end(new SqliteThreadEndedError('the SQLite thread was cancelled'));
    void this.#worker.terminate();
  }

  /** Ends the thread after the statements that were sent. */
  close(): void {
    process.nextTick(() => {
      this.#sendBatch();
      this.#worker.postMessage('close');
    });
  }

  #post(request: StatementRequest): void {
    this.#outgoing.push(request);
    if (this.#isSendScheduled) return;
    this.#isSendScheduled = true;
    process.nextTick(() => this.#sendBatch());
  }

  #sendBatch(): void {
    const batch = this.#outgoing;
    this.#outgoing = [];
    this.#isSendScheduled = false;
    clearTimeout(this.#deferredTimer);
    this.#deferredTimer = undefined;
    if (batch.length === 0 || this.#endError !== undefined) return;
    try {
      this.#worker.postMessage(batch);
    } catch (error) {
      // A parameter is of a kind that cannot be cloned, such as a function. The rest of the batch is lost with it.
      this.#end(error instanceof Error ? error : new SqliteThreadEndedError(String(error)));
      void this.#worker.terminate();
    }
  }

  #settle(answer: StatementAnswer): void {
    const pending = this.#pendingById.get(answer.id);
    this.#pendingById.delete(answer.id);
    if ('error' in answer) {
      const { message, errcode, endedTransaction, isRefused } = answer.error;
      const error = new SqliteError(message, errcode, isRefused);
      if (endedTransaction) this.#aborted ??= error;
      pending?.reject(error);
    } else
      pending?.resolve({
        rows: this.#rowReader.read(answer.columns, answer.rows),
        numAffectedRows: BigInt(answer.changes),
      });
  }

  #end(error: Error): void {
    this.#endError ??= error;
    for (const { reject } of this.#pendingById.values()) reject(this.#endError);
    this.#pendingById.clear();
    this.#opened.resolve();
  }
}

/** An error that SQLite gave when the file was opened. */
function hasResultCode(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** Makes objects of rows. */
class RowReader {
  readonly #makersByColumns = new Map<string, (row: readonly unknown[]) => unknown>();

  read(columns: readonly string[], rows: readonly unknown[][]): unknown[] {
    if (rows.length === 0) return [];
    return rows.map(this.#makersByColumns.getOrInsertComputed(columns.join('\n'), () => compileMaker(columns)));
  }
}

/**
 * Objects of one literal have one shape. To set their members one by one takes twenty times as long, and makes objects
 * that are slower to read and to format as well. The names are those of our own statements.
 */
const compileMaker = (columns: readonly string[]) =>
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function(
    'row',
    `return { ${columns.map((name, index) => `${JSON.stringify(name)}: row[${index}]`).join(', ')} };`,
  ) as (row: readonly unknown[]) => unknown;
