// The two ways into a tenant's database: a read of one snapshot and a write transaction, both under a deadline that stops
// the work. A write that provably stored nothing is run again; one with an unknown outcome never is.

import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, ConnectionGroup, Pool, TransactionMode } from './connection.ts';
import type { Db, Engine, LockableDb } from './db.ts';
import { DuplicateError, NotCommittedError, StorageError } from './errors.ts';
import { withConnection } from './with-connection.ts';

type TransactionOptions = { readonly deadlineMs: number };
type ReadOptions = TransactionOptions & {
  /** Takes a connection that only downloads use. */
  readonly forDownload?: boolean;
  /** The work is one statement; a second one is refused. It costs neither the begin nor the end of a transaction. */
  readonly isSingleStatement?: boolean;
};

export type TenantDatabase = {
  readonly engine: Engine;
  /** Runs `work` on one consistent snapshot. */
  read<T>(options: ReadOptions, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in a write transaction. `work` may run several times, and must have no effect outside the database. */
  write<T>(options: TransactionOptions, work: (db: LockableDb) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** `notifyChanged` gets the topics of every write that was, or may have been, committed. */
export function createTenantDatabase(pool: Pool, notifyChanged: (topics: ReadonlySet<string>) => void): TenantDatabase {
  return {
    engine: pool.dialect.engine,
    read: ({ deadlineMs, forDownload = false, isSingleStatement = false }, work) => {
      const group = forDownload ? 'download' : 'read';
      const mode = isSingleStatement ? 'statement' : 'snapshot';
      return retryRolledBack(deadlineMs, (remainingMs) =>
        readOnce(pool, { group, mode, deadlineMs: remainingMs }, work),
      );
    },
    write: ({ deadlineMs }, work) =>
      retryRolledBack(deadlineMs, (remainingMs) => writeOnce({ pool, notifyChanged }, remainingMs, work)),
    close: () => pool.close(),
  };
}

type ReadOnceOptions = {
  readonly group: ConnectionGroup;
  readonly mode: TransactionMode;
  readonly deadlineMs: number;
};

async function readOnce<T>(pool: Pool, options: ReadOnceOptions, work: (db: Db) => Promise<T>): Promise<T> {
  let hasBegun = false;
  try {
    return await withConnection(pool, options, async (connection) => {
      const { result } = await perform(pool, connection, options.mode, (db) => {
        hasBegun = true;
        return work(db);
      });
      throwIfAborted(connection);
      await connection.commit();
      return result;
    });
  } catch (error) {
    const storageError = toStorageError(pool, error);
    if (!(storageError instanceof StorageError)) throw storageError;
    // The outcome of a read is never unknown. A read is not run again once its work has begun: only the work of writes allows that.
    const { failure } = storageError;
    if (failure === 'outcome-unknown') throw new StorageError('unavailable', error);
    throw failure === 'rolled-back' && hasBegun ? new StorageError('unavailable', error) : storageError;
  }
}

type WriteDependencies = { readonly pool: Pool; readonly notifyChanged: (topics: ReadonlySet<string>) => void };

async function writeOnce<T>(
  { pool, notifyChanged }: WriteDependencies,
  deadlineMs: number,
  work: (db: LockableDb) => Promise<T>,
): Promise<T> {
  // Set right before the COMMIT is sent.
  let sentTopics: ReadonlySet<string> | undefined;
  const written = withConnection(pool, { group: 'write', deadlineMs }, async (connection) => {
    const performed = await perform(pool, connection, 'write', (db) => work(db as LockableDb));
    throwIfAborted(connection);
    sentTopics = performed.topics;
    await connection.commit();
    return performed;
  });
  const { result, topics } = await written.catch((error: unknown) => {
    if (error instanceof NotCommittedError) throw new StorageError('unavailable', error.cause);
    const storageError = toStorageError(pool, error);
    const failure = storageError instanceof StorageError ? storageError.failure : undefined;
    // Before the COMMIT was sent, whatever happened stored nothing; after it, only a proven rollback did.
    if (sentTopics !== undefined && failure !== 'rolled-back') {
      notifyChanged(sentTopics);
      throw new StorageError('outcome-unknown', error);
    }
    throw failure === 'outcome-unknown' ? new StorageError('unavailable', error) : storageError;
  });
  notifyChanged(topics);
  return result;
}

type TransactionResult<T> = { readonly result: T; readonly topics: ReadonlySet<string> };

/** Begins a transaction and does its work, up to the point where only the COMMIT is missing. */
async function perform<T>(
  { dialect }: Pool,
  connection: Connection,
  mode: TransactionMode,
  work: (db: Db) => Promise<T>,
): Promise<TransactionResult<T>> {
  const handle = await connection.begin(mode).catch((error: unknown) => {
    // The connection was lost while it lay idle: nothing has been done yet.
    throw dialect.classifyError(error) === 'outcome-unknown' ? new StorageError('rolled-back', error) : error;
  });
  try {
    return { result: await work(handle.db), topics: handle.db.changedTopics };
  } finally {
    handle.close();
  }
}

/** The engine may have given up the transaction although the work came to its end. */
function throwIfAborted(connection: Connection): void {
  const reason = connection.aborted();
  if (reason !== undefined) throw reason;
}

/** An error that is not of storage (a refusal thrown by `work`) passes through as it is. */
function toStorageError({ dialect }: Pool, error: unknown): unknown {
  if (error instanceof StorageError || error instanceof DuplicateError) return error;
  const failure = dialect.classifyError(error);
  if (failure === 'defect') return error;
  return failure === 'duplicate' ? new DuplicateError(error) : new StorageError(failure, error);
}

const maxAttempts = 8;
const firstDelayMs = 15;
const maxDelayMs = 500;

/** Longer after each attempt, and random, so that two conflicting transactions do not meet again. */
const delayMs = (attempt: number): number =>
  Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random());

/**
 * Runs work again that was rolled back: a bounded number of times, within its deadline. `run` gets the time that is left.
 * Throws StorageError `unavailable` after the last attempt.
 */
async function retryRolledBack<T>(deadlineMs: number, run: (remainingMs: number) => Promise<T>): Promise<T> {
  const deadlineAtMs = performance.now() + deadlineMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(Math.max(1, deadlineAtMs - performance.now()));
    } catch (error) {
      const isRolledBack = error instanceof StorageError && error.failure === 'rolled-back';
      if (!isRolledBack) throw error;
      if (attempt >= maxAttempts) throw new StorageError('unavailable', error);
      await pause(delayMs(attempt));
    }
  }
}
