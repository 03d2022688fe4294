// The two ways into a tenant's database: a snapshot read and a write transaction, both under a deadline that stops
// the work. A write that provably stored nothing is run again, bounded; one whose outcome is unknown never is.

import { setTimeout as pause } from 'node:timers/promises';
import { DuplicateError, StorageError } from './errors.ts';
import type { Connection, Db, Engine, Mode, Pool, WriteDb } from './dialect.ts';

export type Options = { readonly deadlineMs: number };

export type TenantDatabase = {
  readonly engine: Engine;
  /** Runs `work` on one consistent snapshot. */
  read<T>(options: Options, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in a write transaction; `work` may run several times and must have no effect outside the database. */
  write<T>(options: Options, work: (db: WriteDb) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type Performed<T> = { readonly result: T; readonly topics: ReadonlySet<string> };

const maxAttempts = 8;
const firstPauseMs = 15;
const longestPauseMs = 500;

/** Longer each time, and never the same for two who got in each other's way. */
const pauseMs = (attempt: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random());

/** `told` hears the topics of every write that was, or may have been, committed. */
export function tenantDatabase(pool: Pool, told: (topics: ReadonlySet<string>) => void): TenantDatabase {
  const { classify, engine } = pool.words;

  // An error that is not storage's own (a refusal thrown by `work`) passes through as it is.
  const translate = (error: unknown): unknown => {
    if (error instanceof StorageError || error instanceof DuplicateError) return error;
    const failure = classify(error);
    if (failure === 'defect') return error;
    return failure === 'duplicate' ? new DuplicateError(error) : new StorageError(failure, error);
  };

  /** Runs `work` on a connection of its own; at the deadline the connection is cancelled and thrown away. */
  const withConnection = async <T>(
    mode: Mode,
    deadlineMs: number,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    let expired = false;
    let held: Connection | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        expired = true;
        if (held !== undefined) pool.release(held, cancelled(held));
        reject(new StorageError('timeout'));
      }, deadlineMs);
    });
    const run = async (): Promise<T> => {
      const connection = await pool.acquire(mode);
      if (expired) {
        pool.release(connection, false);
        throw new StorageError('timeout');
      }
      held = connection;
      let broken = true;
      try {
        const result = await work(connection);
        broken = false;
        return result;
      } catch (error) {
        // What is wrong with storage itself may be wrong with this way into it alone.
        if (!expired) broken = classify(error) === 'unavailable' || !(await rolledBack(connection));
        throw error;
      } finally {
        if (!expired) pool.release(connection, broken);
        held = undefined;
      }
    };
    try {
      return await Promise.race([run(), deadline]);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Begins a transaction and does its work, up to the point where only the COMMIT is missing. */
  const perform = async <T>(
    connection: Connection,
    mode: Mode,
    work: (db: Db) => Promise<T>,
  ): Promise<Performed<T>> => {
    const handle = await connection.begin(mode).catch((error: unknown) => {
      // The connection was lost while it lay idle: nothing has been done yet.
      throw classify(error) === 'outcome-unknown' ? new StorageError('rolled-back', error) : error;
    });
    try {
      return { result: await work(handle.db), topics: handle.db.touched };
    } finally {
      handle.close();
    }
  };

  const refuseDoomed = (connection: Connection): void => {
    const reason = connection.doomed();
    // Whatever the work made of it: the transaction is gone.
    if (reason !== undefined) throw reason;
  };

  const readOnce = async <T>(deadlineMs: number, work: (db: Db) => Promise<T>): Promise<T> => {
    let working = false;
    try {
      return await withConnection('snapshot', deadlineMs, async (connection) => {
        const { result } = await perform(connection, 'snapshot', (db) => {
          working = true;
          return work(db);
        });
        refuseDoomed(connection);
        await connection.commit();
        return result;
      });
    } catch (error) {
      const translated = translate(error);
      if (!(translated instanceof StorageError)) throw translated;
      // A read has no outcome to be unsure of, and is not known to bear being run twice.
      const { failure } = translated;
      if (failure === 'outcome-unknown') throw new StorageError('unavailable', error);
      throw failure === 'rolled-back' && working ? new StorageError('unavailable', error) : translated;
    }
  };

  const writeOnce = async <T>(deadlineMs: number, work: (db: WriteDb) => Promise<T>): Promise<T> => {
    const sent: { topics?: ReadonlySet<string> } = {};
    const written = withConnection('write', deadlineMs, async (connection) => {
      const { result, topics } = await perform(connection, 'write', (db) => work(db as WriteDb));
      refuseDoomed(connection);
      sent.topics = topics;
      await connection.commit();
      return { result, topics };
    });
    try {
      await written;
    } catch (error) {
      const translated = translate(error);
      const failure = translated instanceof StorageError ? translated.failure : undefined;
      // Before COMMIT was sent, whatever happened stored nothing; after, only a proven rollback did.
      if (sent.topics !== undefined && failure !== 'rolled-back') {
        told(sent.topics);
        throw new StorageError('outcome-unknown', error);
      }
      throw failure === 'outcome-unknown' ? new StorageError('unavailable', error) : translated;
    }
    const { result, topics } = await written;
    told(topics);
    return result;
  };

  const attempts = async <T>(deadlineMs: number, once: (remainingMs: number) => Promise<T>): Promise<T> => {
    const until = performance.now() + deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(Math.max(1, until - performance.now()));
      } catch (error) {
        const again = error instanceof StorageError && error.failure === 'rolled-back';
        if (!again) throw error;
        if (attempt >= maxAttempts) throw new StorageError('unavailable', error);
        await pause(pauseMs(attempt));
      }
    }
  };

  const read: TenantDatabase['read'] = ({ deadlineMs }, work) =>
    attempts(deadlineMs, (remainingMs) => readOnce(remainingMs, work));
  const write: TenantDatabase['write'] = ({ deadlineMs }, work) =>
    attempts(deadlineMs, (remainingMs) => writeOnce(remainingMs, work));

  return { engine, read, write, close: () => pool.close() };
}

function cancelled(connection: Connection): true {
  connection.cancel();
  return true;
}

async function rolledBack(connection: Connection): Promise<boolean> {
  try {
    await connection.rollback();
    return true;
  } catch {
    // The connection is of no further use, which is what the answer says.
    return false;
  }
}
