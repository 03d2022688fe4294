// One writer and up to two readers for a database file, each opened when it is first needed.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Connection, Pool } from '../../dialect.ts';
import { StorageError } from '../../errors.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { sqliteWords } from './words.ts';

const limits = { snapshot: 2, write: 1 } as const;
const maxQueue = 1000;

type Mode = keyof typeof limits;
type Lane = {
  readonly open: Set<SqliteConnection>;
  readonly idle: SqliteConnection[];
  readonly queue: ((connection: Connection) => void)[];
};

export function openSqlitePool(file: string): Pool {
  mkdirSync(dirname(file), { recursive: true });
  const lane = (): Lane => ({ open: new Set(), idle: [], queue: [] });
  const lanes: Record<Mode, Lane> = { snapshot: lane(), write: lane() };

  const open = (mode: Mode): SqliteConnection => {
    const connection = openSqliteConnection({ file, mode });
    lanes[mode].open.add(connection);
    return connection;
  };
  const release = (connection: Connection, broken: boolean): void => {
    const mode = lanes.write.open.has(connection as SqliteConnection) ? 'write' : 'snapshot';
    const { open: opened, idle, queue } = lanes[mode];
    const next = queue.shift();
    if (broken) {
      connection.cancel();
      opened.delete(connection as SqliteConnection);
      next?.(open(mode));
    } else if (next === undefined) idle.push(connection as SqliteConnection);
    else next(connection);
  };
  return {
    words: sqliteWords,
    acquire: (mode) => {
      const { open: opened, idle, queue } = lanes[mode];
      const connection = idle.pop() ?? (opened.size < limits[mode] ? open(mode) : undefined);
      if (connection !== undefined) return Promise.resolve(connection);
      if (queue.length >= maxQueue) return Promise.reject(new StorageError('unavailable'));
      return new Promise((resolve) => queue.push(resolve));
    },
    release,
    close: async () => {
      const all = Object.values(lanes).flatMap(({ open: opened }) => [...opened]);
      await Promise.all(all.map((connection) => connection.close()));
    },
  };
}
