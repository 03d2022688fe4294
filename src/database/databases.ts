// Opens a database for each tenant on first use: a file on SQLite, a schema on MariaDB.

import { createConnection } from 'mysql2';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { createNodeChoice, createSingleChoice, type NodeChoice } from './dialects/mysql/node-choice.ts';
import { openMysqlPool } from './dialects/mysql/pool.ts';
import { mysqlPoolOptions, type MysqlCredentials } from './dialects/mysql/pool-options.ts';
import { createNodeProbe } from './dialects/mysql/probe-node.ts';
import { reportChanges, type NodeListener } from './dialects/mysql/node-choice.ts';
import { openSqlitePool } from './dialects/sqlite/pool.ts';
import { privateFileMode, privateFolderMode } from '../lib/bytes/file-modes.ts';
import type { Pool } from './connection.ts';
import type { Db } from './db.ts';
import { describeStorage, diagnoseFailure, sqliteFilePath } from './checks/diagnose.ts';
import { SchemaError, type SchemaDifference } from './checks/diagnosis.ts';
import { compareSchema, migrate } from './migrate.ts';
import { createRestoreTarget } from './restores/restore-target.ts';
import { withSchemaCheck } from './checks/schema-check.ts';
import type { MysqlAddress, StorageAddress } from './storage-address.ts';
import { createTenantDatabase, type TenantDatabase } from './tenant-database.ts';

export type CommitListener = (tenant: string, topics: ReadonlySet<string>) => void;

export type Databases = ReturnType<typeof openDatabases>;

const schemaDeadlineMs = 5000;

type OpenedDatabase = {
  readonly pool: Pool;
  readonly readDifference: (deadlineMs?: number) => Promise<SchemaDifference>;
  readonly database: TenantDatabase;
  /** The database without its checks, for work on one that is not complete. */
  readonly unchecked: TenantDatabase;
};

/** @param onNodeChange learns why a node of a cluster is not used, and when it can be again */
export function openDatabases(address: StorageAddress, onNodeChange: NodeListener = () => {}) {
  const storage = address.engine === 'sqlite' ? address : { ...address, choice: openNodeChoice(address, onNodeChange) };
  const listeners: CommitListener[] = [];
  const openedByTenant = new Map<string, OpenedDatabase>();
  const heldBack = new Set<string>();
  const announceCommit: CommitListener = (tenant, topics) => {
    for (const listener of listeners) listener(tenant, topics);
  };
  const openNew = (tenant: string): OpenedDatabase => {
    const pool = openPool(storage, tenant);
    const unchecked = createTenantDatabase(pool, (topics) => announceCommit(tenant, topics));
    const readDifference: OpenedDatabase['readDifference'] = async (deadlineMs = schemaDeadlineMs) =>
      heldBack.has(tenant)
        ? { missing: [], unknown: [], isRestoring: false, isBeingFilled: true }
        : unchecked.read({ deadlineMs }, compareSchema);
    return { pool, readDifference, unchecked, database: withSchemaCheck(unchecked, readDifference) };
  };
  const open = (tenant: string): OpenedDatabase => openedByTenant.getOrInsertComputed(tenant, openNew);
  const runMigrations = async <T>(tenant: string, work: (db: Db) => Promise<T>): Promise<T> => {
    if (storage.engine === 'mysql') await createMysqlSchema(storage, tenant);
    else createSqliteFile(storage, tenant);
    const { pool } = open(tenant);
    const connection = await pool.acquire('write');
    let broken = true;
    try {
      const result = await connection.runMigrations(work);
      broken = false;
      return result;
    } finally {
      pool.release(connection, broken);
    }
  };
  return {
    /** Is called for every write that this process has committed, or may have committed. */
    onCommit: (listener: CommitListener) => void listeners.push(listener),
    /** Calls the same listeners for a write of another process. */
    announceCommit,
    /**
     * Returns the database of a tenant. The database refuses transactions as `unavailable` while the database lacks
     * migrations, or while the tenant is held back (`holdBack`).
     */
    forTenant: (tenant: string) => open(tenant).database,
    /**
     * Makes the databases of these tenants refuse transactions until their data are complete. Call this function before
     * the first transaction of these databases. Returns a function that ends the refusal for one tenant.
     */
    holdBack: (tenants: readonly string[]) => {
      for (const tenant of tenants) heldBack.add(tenant);
      return (tenant: string) => void heldBack.delete(tenant);
    },
    isHeldBack: (tenant: string) => heldBack.has(tenant),
    /** Runs the missing migrations of a tenant's database; returns their names. */
    migrate: (tenant: string) => runMigrations(tenant, migrateKnownSchema),
    /** The way into an empty or missing database, which no other transaction can use until the restore has finished. */
    restoreInto: (tenant: string) => createRestoreTarget(open(tenant).unchecked, (work) => runMigrations(tenant, work)),
    /** How the schema of a tenant's database differs from the one that this version works with. */
    compareSchema: (tenant: string, deadlineMs?: number) => open(tenant).readDifference(deadlineMs),
    /** The name of a tenant's file or schema, and where it is. */
    describeStorage: (tenant: string) => describeStorage(address, tenant),
    /** What an error means to the operator; undefined where it is not one of storage. */
    diagnose: (tenant: string, error: unknown) => diagnoseFailure(address, tenant, error),
    close: async () => {
      if (storage.engine === 'mysql') storage.choice.close();
      await Promise.all([...openedByTenant.values()].map(({ database }) => database.close()));
    },
  };
}

function createSqliteFile(address: Extract<StorageAddress, { engine: 'sqlite' }>, tenant: string): void {
  mkdirSync(address.directory, { recursive: true, mode: privateFolderMode });
  // The files that SQLite creates next to it (-wal, -shm) get the same mode.
  closeSync(openSync(sqliteFilePath(address.directory, tenant), 'a', privateFileMode));
}

/** Throws SchemaError where a newer version has migrated the database, or a restore has not finished. */
async function migrateKnownSchema(db: Db): Promise<string[]> {
  const difference = await compareSchema(db);
  if (difference.unknown.length > 0 || difference.isRestoring) throw new SchemaError(difference);
  return migrate(db);
}

/** An address, and which of its nodes is used. */
type MysqlStorage = MysqlAddress & { readonly choice: NodeChoice };
type Storage = Extract<StorageAddress, { engine: 'sqlite' }> | MysqlStorage;

function openNodeChoice({ nodes, ...address }: MysqlAddress, onNodeChange: NodeListener): NodeChoice {
  if (nodes.length === 1) return createSingleChoice(nodes[0]);
  const probe = createNodeProbe(credentialsOf(address));
  let isClosed = false;
  const onChange: NodeListener = (node, failed) => {
    // A probe that is cut short says nothing of its node.
    if (!isClosed) onNodeChange(node, failed);
  };
  const choice = createNodeChoice(nodes, reportChanges(probe.probe, onChange));
  return {
    ...choice,
    close: () => {
      isClosed = true;
      choice.close();
      probe.close();
    },
  };
}

function openPool(storage: Storage, tenant: string): Pool {
  if (storage.engine === 'sqlite') return openSqlitePool(sqliteFilePath(storage.directory, tenant));
  const { prefix, choice } = storage;
  return openMysqlPool({ ...credentialsOf(storage), database: `${prefix}${tenant}` }, choice);
}

const credentialsOf = ({ user, password, tls }: Omit<MysqlAddress, 'nodes'>): MysqlCredentials => ({
  user,
  password,
  tls,
});

async function createMysqlSchema(storage: MysqlStorage, tenant: string): Promise<void> {
  const { prefix, choice } = storage;
  const connection = createConnection(mysqlPoolOptions({ ...(await choice.choose()), ...credentialsOf(storage) }));
  await new Promise<void>((resolve, reject) => {
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
