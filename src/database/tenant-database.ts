// The two ways into a tenant's database: a snapshot read and a write transaction, both under a deadline that stops
// the work. A write that provably stored nothing is run again, bounded; one whose outcome is unknown never is.

import { setTimeout as pause } from 'node:timers/promises';
import { DuplicateError, StorageError } from './errors.ts';
import type { Connection, Db, Engine, TransactionMode, Pool, WriteDb } from './db.ts';

export type TransactionOptions = { readonly deadlineMs: number };

export type TenantDatabase = {
  readonly engine: Engine;
  /** Runs `work` on one consistent snapshot. */
  read<T>(options: TransactionOptions, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in a write transaction; `work` may run several times and must have no effect outside the database. */
  write<T>(options: TransactionOptions, work: (db: WriteDb) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type TransactionResult<T> = { readonly result: T; readonly topics: ReadonlySet<string> };

const maxAttempts = 8;
const firstRetryDelayMs = 15;
const maxRetryDelayMs = 500;

/** Longer each time, and never the same for two who got in each other's way. */
const retryDelayMs = (attempt: number): number =>
  Math.min(maxRetryDelayMs, firstRetryDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random());

/** `told` hears the topics of every write that was, or may have been, committed. */
export function createTenantDatabase(
  pool: Pool,
  notifyCommitted: (topics: ReadonlySet<string>) => void,
): TenantDatabase {
  const { classifyError, engine } = pool.dialect;

  // An error that is not storage's own (a refusal thrown by `work`) passes through as it is.
  const toStorageError = (error: unknown): unknown => {
    if (error instanceof StorageError || error instanceof DuplicateError) return error;
    const failure = classifyError(error);
    if (failure === 'defect') return error;
    return failure === 'duplicate' ? new DuplicateError(error) : new StorageError(failure, error);
  };

  /** Runs `work` on a connection of its own; at the deadline the connection is cancelled and thrown away. */
  const withConnection = async <T>(
    mode: TransactionMode,
    deadlineMs: number,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    let isExpired = false;
    let heldConnection: Connection | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isExpired = true;
        if (heldConnection !== undefined) pool.release(heldConnection, cancelConnection(heldConnection));
        reject(new StorageError('timeout'));
      }, deadlineMs);
    });
    const run = async (): Promise<T> => {
      const connection = await pool.acquire(mode);
      if (isExpired) {
        pool.release(connection, false);
        throw new StorageError('timeout');
      }
      heldConnection = connection;
      let isBroken = true;
      try {
        const result = await work(connection);
        isBroken = false;
        return result;
      } catch (error) {
        // What is wrong with storage itself may be wrong with this way into it alone.
        if (!isExpired) isBroken = classifyError(error) === 'unavailable' || !(await tryRollback(connection));
        throw error;
      } finally {
        if (!isExpired) pool.release(connection, isBroken);
        heldConnection = undefined;
      }
    };
    try {
      return await Promise.race([run(), deadline]);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Begins a transaction and does its work, up to the point where only the COMMIT is missing. */
  const runWork = async <T>(
    connection: Connection,
    mode: TransactionMode,
    work: (db: Db) => Promise<T>,
  ): Promise<TransactionResult<T>> => {
    const handle = await connection.begin(mode).catch((error: unknown) => {
      // The connection was lost while it lay idle: nothing has been done yet.
      throw classifyError(error) === 'outcome-unknown' ? new StorageError('rolled-back', error) : error;
    });
    try {
      return { result: await work(handle.db), topics: handle.db.changedTopics };
    } finally {
      handle.close();
    }
  };

  const throwIfAborted = (connection: Connection): void => {
    const reason = connection.aborted();
    // Whatever the work made of it: the transaction is gone.
    if (reason !== undefined) throw reason;
  };

  const readOnce = async <T>(deadlineMs: number, work: (db: Db) => Promise<T>): Promise<T> => {
    let hasStarted = false;
    try {
      return await withConnection('snapshot', deadlineMs, async (connection) => {
        const { result } = await runWork(connection, 'snapshot', (db) => {
          hasStarted = true;
          return work(db);
        });
        throwIfAborted(connection);
        await connection.commit();
        return result;
      });
    } catch (error) {
      const translated = toStorageError(error);
      if (!(translated instanceof StorageError)) throw translated;
      // A read has no outcome to be unsure of, and is not known to bear being run twice.
      const { failure } = translated;
      if (failure === 'outcome-unknown') throw new StorageError('unavailable', error);
      throw failure === 'rolled-back' && hasStarted ? new StorageError('unavailable', error) : translated;
    }
  };

  const writeOnce = async <T>(deadlineMs: number, work: (db: WriteDb) => Promise<T>): Promise<T> => {
    const commitSent: { topics?: ReadonlySet<string> } = {};
    const written = withConnection('write', deadlineMs, async (connection) => {
      const { result, topics } = await runWork(connection, 'write', (db) => work(db as WriteDb));
      throwIfAborted(connection);
      commitSent.topics = topics;
      await connection.commit();
      return { result, topics };
    });
    try {
      await written;
    } catch (error) {
      const translated = toStorageError(error);
      const failure = translated instanceof StorageError ? translated.failure : undefined;
      // Before COMMIT was sent, whatever happened stored nothing; after, only a proven rollback did.
      if (commitSent.topics !== undefined && failure !== 'rolled-back') {
        notifyCommitted(commitSent.topics);
        throw new StorageError('outcome-unknown', error);
      }
      throw failure === 'outcome-unknown' ? new StorageError('unavailable', error) : translated;
    }
    const { result, topics } = await written;
    notifyCommitted(topics);
    return result;
  };

  const retryRolledBack = async <T>(deadlineMs: number, once: (remainingMs: number) => Promise<T>): Promise<T> => {
    const until = performance.now() + deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(Math.max(1, until - performance.now()));
      } catch (error) {
        const again = error instanceof StorageError && error.failure === 'rolled-back';
        if (!again) throw error;
        if (attempt >= maxAttempts) throw new StorageError('unavailable', error);
        await pause(retryDelayMs(attempt));
      }
    }
  };

  const read: TenantDatabase['read'] = ({ deadlineMs }, work) =>
    retryRolledBack(deadlineMs, (remainingMs) => readOnce(remainingMs, work));
  const write: TenantDatabase['write'] = ({ deadlineMs }, work) =>
    retryRolledBack(deadlineMs, (remainingMs) => writeOnce(remainingMs, work));

  return { engine, read, write, close: () => pool.close() };
}

function cancelConnection(connection: Connection): true {
  connection.cancel();
  return true;
}

async function tryRollback(connection: Connection): Promise<boolean> {
  try {
    await connection.rollback();
    return true;
  } catch {
    // The connection is of no further use, which is what the answer says.
    return false;
  }
}
