// A database for each tenant: a file of its own on SQLite, a schema of its own on MariaDB, opened on first use.

import { createConnection } from 'mysql2';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { openMysqlPool, mysqlOptions } from './dialects/mysql/pool.ts';
import { openSqlitePool } from './dialects/sqlite/pool.ts';
import type { Pool } from './dialect.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { tenantDatabase, type TenantDatabase } from './tenant-database.ts';

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
  of(tenant: string): TenantDatabase;
  /** Creates what is missing of a tenant's database; answers the migrations it ran. */
  migrate(tenant: string): Promise<string[]>;
  /** The migrations that a tenant's database lacks. */
  pending(tenant: string): Promise<string[]>;
  close(): Promise<void>;
};

const pendingDeadlineMs = 5000;

export function openDatabases(location: StorageAddress): Databases {
  const listeners: CommitListener[] = [];
  const opened = new Map<string, { pool: Pool; database: TenantDatabase }>();
  const open = (tenant: string): { pool: Pool; database: TenantDatabase } => {
    const known = opened.get(tenant);
    if (known !== undefined) return known;
    const pool = openPool(location, tenant);
    const tell = (topics: ReadonlySet<string>): void => {
      for (const listener of listeners) listener(tenant, topics);
    };
    const fresh = { pool, database: tenantDatabase(pool, tell) };
    opened.set(tenant, fresh);
    return fresh;
  };
  return {
    onCommit: (listener) => void listeners.push(listener),
    of: (tenant) => open(tenant).database,
    migrate: async (tenant) => {
      if (location.engine === 'mysql') await createSchema(location, tenant);
      else createFile(location, tenant);
      const { pool } = open(tenant);
      const connection = await pool.acquire('write');
      let broken = true;
      try {
        const ran = await connection.migrating(migrate);
        broken = false;
        return ran;
      } finally {
        pool.release(connection, broken);
      }
    },
    pending: async (tenant) => {
      // Looking must not create the file.
      if (location.engine === 'sqlite' && !existsSync(sqliteFile(location.directory, tenant))) return ['all'];
      return open(tenant).database.read({ deadlineMs: pendingDeadlineMs }, pendingMigrations);
    },
    close: async () => {
      await Promise.all([...opened.values()].map(({ database }) => database.close()));
    },
  };
}

function createFile(location: Extract<StorageAddress, { engine: 'sqlite' }>, tenant: string): void {
  mkdirSync(location.directory, { recursive: true });
  closeSync(openSync(sqliteFile(location.directory, tenant), 'a'));
}

const sqliteFile = (directory: string, tenant: string): string => join(directory, `${tenant}.sqlite`);

function openPool(location: StorageAddress, tenant: string): Pool {
  if (location.engine === 'sqlite') return openSqlitePool(sqliteFile(location.directory, tenant));
  const { host, port, user, password, prefix } = location;
  return openMysqlPool({ host, port, user, password, database: `${prefix}${tenant}` });
}

function createSchema(location: Extract<StorageAddress, { engine: 'mysql' }>, tenant: string): Promise<void> {
  const { host, port, user, password, prefix } = location;
  const connection = createConnection(mysqlOptions({ host, port, user, password }));
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
