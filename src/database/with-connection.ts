// Runs work on a connection of its own. At the deadline the connection is cancelled and thrown away.

import type { Connection, ConnectionGroup, Pool } from './connection.ts';
import { StorageError } from './errors.ts';

type WithConnectionOptions = { readonly group: ConnectionGroup; readonly deadlineMs: number };

/** Throws StorageError `timeout` at the deadline; otherwise what `work` throws. */
export async function withConnection<T>(
  pool: Pool,
  { group, deadlineMs }: WithConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let isExpired = false;
  let held: Connection | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isExpired = true;
      if (held !== undefined) {
        held.cancel();
        pool.release(held, true);
      }
      reject(new StorageError('timeout'));
    }, deadlineMs);
  });
  const run = async (): Promise<T> => {
    const connection = await pool.acquire(group);
    if (isExpired) {
      pool.release(connection, false);
      throw new StorageError('timeout');
    }
    held = connection;
    let isBroken = true;
    try {
      const result = await work(connection);
      isBroken = false;
      return result;
    } catch (error) {
      // What looks like a failure of storage may be one of only this connection.
      if (!isExpired)
        isBroken = pool.dialect.classifyError(error) === 'unavailable' || !(await canRollBack(connection));
      throw error;
    } finally {
      if (!isExpired) pool.release(connection, isBroken);
      held = undefined;
    }
  };
  try {
    return await Promise.race([run(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

async function canRollBack(connection: Connection): Promise<boolean> {
  try {
    await connection.rollback();
    return true;
  } catch {
    // The result shows that the connection cannot be used again.
    return false;
  }
}
