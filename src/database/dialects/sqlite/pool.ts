// A pool of one writer, up to two readers and one reader for downloads, for a SQLite file. Each is opened when it is first
// needed.

import type { Connection, ConnectionGroup, Pool } from '../../connection.ts';
import { StorageError } from '../../errors.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

const maxConnections = { read: 2, download: 1, write: 1 } as const;
const maxQueue = 1000;
// A cancelled thread inside a native scan runs on to that scan's end; so many may do so before others have to wait.
const maxEndingThreads = 4;

type QueuedAcquire = { resolve(connection: Promise<Connection>): void; reject(error: StorageError): void };
type GroupState = {
  readonly group: ConnectionGroup;
  /** Every thread that is not gone yet. */
  readonly threads: Set<SqliteConnection>;
  readonly idle: SqliteConnection[];
  readonly queue: QueuedAcquire[];
};

export function openSqlitePool(file: string): Pool {
  const createState = (group: ConnectionGroup): GroupState => ({ group, threads: new Set(), idle: [], queue: [] });
  const groups: Record<ConnectionGroup, GroupState> = {
    read: createState('read'),
    download: createState('download'),
    write: createState('write'),
  };
  let isClosed = false;

  const openConnection = (group: ConnectionGroup): SqliteConnection => {
    const { threads } = groups[group];
    const connection = openSqliteConnection({ file, group });
    threads.add(connection);
    void connection.exited.then(() => {
      threads.delete(connection);
      serveQueue(groups[group]);
    });
    return connection;
  };
  const takeConnection = ({ group, threads, idle }: GroupState): SqliteConnection | undefined => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop())
      if (!connection.hasEnded()) return connection;
    const ending = [...threads].filter((connection) => connection.hasEnded()).length;
    return threads.size - ending < maxConnections[group] && ending < maxEndingThreads
      ? openConnection(group)
      : undefined;
  };
  const serveQueue = (to: GroupState): void => {
    for (let next = to.queue[0]; next !== undefined; next = to.queue[0]) {
      const connection = takeConnection(to);
      if (connection === undefined) return;
      to.queue.shift();
      next.resolve(whenOpened(connection));
    }
  };
  return {
    dialect: sqliteDialect,
    acquire: async (group) => {
      if (isClosed) throw new StorageError('unavailable');
      const { queue } = groups[group];
      const connection = takeConnection(groups[group]);
      if (connection !== undefined) return whenOpened(connection);
      if (queue.length >= maxQueue) throw new StorageError('unavailable');
      return new Promise((resolve, reject) => queue.push({ resolve, reject }));
    },
    release: (released, broken) => {
      const connection = released as SqliteConnection;
      const from = groups[connection.group];
      if (broken) connection.cancel();
      else if (isClosed) connection.close();
      else if (!connection.hasEnded()) from.idle.push(connection);
      serveQueue(from);
    },
    close: async () => {
      isClosed = true;
      const threads = Object.values(groups).flatMap(({ threads: all, idle, queue }) => {
        for (const { reject } of queue.splice(0)) reject(new StorageError('unavailable'));
        for (const connection of idle.splice(0)) connection.close();
        // Their users have done nothing yet, and dozens of starting threads would delay the end by seconds.
        for (const connection of all) if (!connection.isOpen()) connection.cancel();
        return [...all];
      });
      await Promise.all(threads.map(({ exited }) => exited));
    },
  };
}

/** A thread that is still opening the file when a deadline passes is kept for others, which would have to start one again. */
async function whenOpened(connection: SqliteConnection): Promise<SqliteConnection> {
  await connection.opened;
  return connection;
}
