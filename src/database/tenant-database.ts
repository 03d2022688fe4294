// The two ways into a tenant's database: a snapshot read and a write transaction, both under a deadline that stops
// the work. A write that provably stored nothing is run again, bounded; one whose outcome is unknown never is.

import { setTimeout as pause } from 'node:timers/promises';
import { DuplicateError, StorageError } from './errors.ts';
import type { Connection, Db, Engine, Pool, WriteDb } from './dialect.ts';

export type Options = { readonly deadlineMs: number };

export type TenantDatabase = {
  readonly engine: Engine;
  /** Runs `work` on one consistent snapshot. */
  read<T>(options: Options, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in a write transaction; `work` may run several times and must have no effect outside the database. */
  write<T>(options: Options, work: (db: WriteDb) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const maxAttempts = 5;
const backoffMs = 20;

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
    mode: 'snapshot' | 'write',
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
        if (!expired) broken = !(await rolledBack(connection));
        throw error;
      } finally {
        if (!expired) pool.release(connection, broken);
        held = undefined;
      }
    };
    const running = run();
    try {
      return await Promise.race([running, deadline]);
    } finally {
      clearTimeout(timer);
      // After the deadline nobody waits for it any more.
      if (expired) running.catch(() => undefined);
    }
  };

  const read: TenantDatabase['read'] = async ({ deadlineMs }, work) => {
    try {
      return await withConnection('snapshot', deadlineMs, async (connection) => {
        await connection.begin('snapshot');
        const result = await work(connection.db);
        await connection.commit();
        return result;
      });
    } catch (error) {
      const translated = translate(error);
      // A read has no outcome to be unsure of.
      const lost =
        translated instanceof StorageError && ['outcome-unknown', 'rolled-back'].includes(translated.failure);
      throw lost ? new StorageError('unavailable', error) : translated;
    }
  };

  const writeOnce = <T>(deadlineMs: number, work: (db: WriteDb) => Promise<T>): Promise<T> => {
    let committing = false;
    let topics: ReadonlySet<string> = new Set();
    const attempt = withConnection('write', deadlineMs, async (connection) => {
      connection.db.touched.clear();
      await connection.begin('write');
      const result = await work(connection.db as WriteDb);
      topics = new Set(connection.db.touched);
      committing = true;
      await connection.commit();
      return result;
    }).finally(() => {
      if (committing) told(topics);
    });
    return attempt.catch((error: unknown) => {
      const translated = translate(error);
      if (!(translated instanceof StorageError)) throw translated;
      const { failure } = translated;
      // Before COMMIT was sent, whatever happened stored nothing; after, only a proven rollback did.
      if (committing) throw failure === 'rolled-back' ? translated : new StorageError('outcome-unknown', error);
      throw failure === 'outcome-unknown' ? new StorageError('unavailable', error) : translated;
    });
  };

  const write: TenantDatabase['write'] = async ({ deadlineMs }, work) => {
    const until = performance.now() + deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writeOnce(Math.max(1, until - performance.now()), work);
      } catch (error) {
        const again = error instanceof StorageError && error.failure === 'rolled-back';
        if (!again) throw error;
        if (attempt >= maxAttempts) throw new StorageError('unavailable', error);
        await pause(backoffMs * attempt * (0.5 + Math.random()));
      }
    }
  };

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
