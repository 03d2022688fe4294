// One writer and up to two readers for a database file, each opened when it is first needed.

import type { Connection, Mode, Pool } from '../../dialect.ts';
import { StorageError } from '../../errors.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { sqliteWords } from './words.ts';

const limits = { snapshot: 2, write: 1 } as const;
const maxQueue = 1000;
// A cancelled thread inside a native scan runs on to that scan's end; so many may do so before others have to wait.
const maxEnding = 4;

type Waiter = { resolve(connection: Connection): void; reject(error: StorageError): void };
type Lane = {
  readonly mode: Mode;
  /** Every thread that is not gone yet. */
  readonly threads: Set<SqliteConnection>;
  readonly idle: SqliteConnection[];
  readonly queue: Waiter[];
};

export function openSqlitePool(file: string): Pool {
  const lane = (mode: Mode): Lane => ({ mode, threads: new Set(), idle: [], queue: [] });
  const lanes: Record<Mode, Lane> = { snapshot: lane('snapshot'), write: lane('write') };
  let closed = false;

  const open = (mode: Mode): SqliteConnection => {
    const { threads } = lanes[mode];
    const connection = openSqliteConnection({ file, mode });
    threads.add(connection);
    void connection.gone.then(() => {
      threads.delete(connection);
      serve(lanes[mode]);
    });
    return connection;
  };
  const available = ({ mode, threads, idle }: Lane): SqliteConnection | undefined => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop())
      if (!connection.ended()) return connection;
    const ending = [...threads].filter((connection) => connection.ended()).length;
    return threads.size - ending < limits[mode] && ending < maxEnding ? open(mode) : undefined;
  };
  const serve = (to: Lane): void => {
    for (let next = to.queue[0]; next !== undefined; next = to.queue[0]) {
      const connection = available(to);
      if (connection === undefined) return;
      to.queue.shift();
      next.resolve(connection);
    }
  };
  return {
    words: sqliteWords,
    acquire: async (mode) => {
      if (closed) throw new StorageError('unavailable');
      const { queue } = lanes[mode];
      const connection = available(lanes[mode]);
      if (connection !== undefined) return connection;
      if (queue.length >= maxQueue) throw new StorageError('unavailable');
      return new Promise((resolve, reject) => queue.push({ resolve, reject }));
    },
    release: (released, broken) => {
      const connection = released as SqliteConnection;
      const from = lanes[connection.mode];
      if (broken) connection.cancel();
      else if (closed) connection.close();
      else if (!connection.ended()) from.idle.push(connection);
      serve(from);
    },
    close: async () => {
      closed = true;
      const threads = Object.values(lanes).flatMap(({ threads: all, idle, queue }) => {
        for (const { reject } of queue.splice(0)) reject(new StorageError('unavailable'));
        for (const connection of idle.splice(0)) connection.close();
        return [...all];
      });
      await Promise.all(threads.map(({ gone }) => gone));
    },
  };
}
