// Opens a database for each tenant on first use: a file on SQLite, a schema on MariaDB.

import { createConnection } from 'mysql2';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { openMysqlPool, mysqlPoolOptions } from './dialects/mysql/pool.ts';
import { openSqlitePool } from './dialects/sqlite/pool.ts';
import type { Pool } from './connection.ts';
import { migrate, listPendingMigrations } from './migrate.ts';
import { createTenantDatabase, type TenantDatabase } from './tenant-database.ts';

/** Where the databases are. */
export type StorageAddress =
  | { readonly engine: 'sqlite'; readonly directory: string }
  | {
      readonly engine: 'mysql';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly prefix: string;
    };

export type CommitListener = (tenant: string, topics: ReadonlySet<string>) => void;

export type Databases = {
  /** Hears of every write that was, or may have been, committed by this process. */
  onCommit(listener: CommitListener): void;
  forTenant(tenant: string): TenantDatabase;
  /** Runs the missing migrations of a tenant's database; returns their names. */
  migrate(tenant: string): Promise<string[]>;
  /** The migrations that a tenant's database lacks. */
  listPendingMigrations(tenant: string): Promise<string[]>;
  close(): Promise<void>;
};

const pendingDeadlineMs = 5000;

export function openDatabases(address: StorageAddress): Databases {
  const listeners: CommitListener[] = [];
  const openedByTenant = new Map<string, { pool: Pool; database: TenantDatabase }>();
  const open = (tenant: string): { pool: Pool; database: TenantDatabase } => {
    const existing = openedByTenant.get(tenant);
    if (existing !== undefined) return existing;
    const pool = openPool(address, tenant);
    const notifyListeners = (topics: ReadonlySet<string>): void => {
      for (const listener of listeners) listener(tenant, topics);
    };
    const newEntry = { pool, database: createTenantDatabase(pool, notifyListeners) };
    openedByTenant.set(tenant, newEntry);
    return newEntry;
  };
  return {
    onCommit: (listener) => void listeners.push(listener),
    forTenant: (tenant) => open(tenant).database,
    migrate: async (tenant) => {
      if (address.engine === 'mysql') await createMysqlSchema(address, tenant);
      else createSqliteFile(address, tenant);
      const { pool } = open(tenant);
      const connection = await pool.acquire('write');
      let broken = true;
      try {
        const ran = await connection.runMigrations(migrate);
        broken = false;
        return ran;
      } finally {
        pool.release(connection, broken);
      }
    },
    listPendingMigrations: async (tenant) => {
      // Looking must not create the file.
      if (address.engine === 'sqlite' && !existsSync(sqliteFilePath(address.directory, tenant))) return ['all'];
      return open(tenant).database.read({ deadlineMs: pendingDeadlineMs }, listPendingMigrations);
    },
    close: async () => {
      await Promise.all([...openedByTenant.values()].map(({ database }) => database.close()));
    },
  };
}

function createSqliteFile(address: Extract<StorageAddress, { engine: 'sqlite' }>, tenant: string): void {
  mkdirSync(address.directory, { recursive: true });
  closeSync(openSync(sqliteFilePath(address.directory, tenant), 'a'));
}

const sqliteFilePath = (directory: string, tenant: string): string => join(directory, `${tenant}.sqlite`);

function openPool(address: StorageAddress, tenant: string): Pool {
  if (address.engine === 'sqlite') return openSqlitePool(sqliteFilePath(address.directory, tenant));
  const { host, port, user, password, prefix } = address;
  return openMysqlPool({ host, port, user, password, database: `${prefix}${tenant}` });
}

function createMysqlSchema(address: Extract<StorageAddress, { engine: 'mysql' }>, tenant: string): Promise<void> {
  const { host, port, user, password, prefix } = address;
  const connection = createConnection(mysqlPoolOptions({ host, port, user, password }));
  return new Promise((resolve, reject) => {
    connection.on('error', reject);
    connection.query(
      `create database if not exists \`${prefix}${tenant}\` character set utf8mb4 collate utf8mb4_bin`,
      (error) => {
        connection.destroy();
        if (error) reject(error);
        else resolve();
      },
    );
  });
}
