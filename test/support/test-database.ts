// One tenant's freshly migrated database for tests of storage itself, with a way in past the service's own pools.

import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { readConfig } from '../../src/config.ts';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { StorageAddress } from '../../src/database/storage-address.ts';
import type { Db, WriteDb } from '../../src/database/db.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { prepareDatabase } from './migrated-copy.ts';
import { createStorage, type Engine, type TestStorage } from './service.ts';

export const tenant = 'sund';

/** Longer than any test waits. */
export const longDeadline = { deadlineMs: 60_000 } as const;

export type TestDatabase = {
  readonly engine: Engine;
  readonly storage: TestStorage;
  readonly location: StorageAddress;
  readonly databases: Databases;
  readonly database: TenantDatabase;
  /** A separate session on the same database, as another program would have. */
  connectDirectly(): Promise<DirectConnection>;
  close(): Promise<void>;
};

export type SqlRow = Record<string, unknown>;
export type DirectConnection = {
  readonly engine: Engine;
  run(sql: string): Promise<SqlRow[]>;
  close(): Promise<void>;
};

export function storageAddressOf({ storageUrl }: TestStorage): StorageAddress {
  return readConfig({ PORTAL_STORAGE: storageUrl }).storage;
}

export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const storage = await createStorage(engine);
  const location = storageAddressOf(storage);
  const databases = openDatabases(location);
  await prepareDatabase(databases, location, tenant);
  return {
    engine,
    storage,
    location,
    databases,
    database: databases.forTenant(tenant),
    connectDirectly: () => connectDirectly(location),
    close: async () => {
      await databases.close();
      await storage.release();
    },
  };
}

export function sqliteFile(location: StorageAddress): string {
  if (location.engine !== 'sqlite') throw new Error('there is no file');
  return join(location.directory, `${tenant}.sqlite`);
}

export async function connectDirectly(location: StorageAddress): Promise<DirectConnection> {
  if (location.engine === 'sqlite') {
    const session = new DatabaseSync(sqliteFile(location), { timeout: 2000 });
    return {
      engine: 'sqlite',
      run: async (sql) => session.prepare(sql).all(),
      close: async () => session.close(),
    };
  }
  const { nodes, user, password, prefix } = location;
  const session = await createConnection({ ...nodes[0], user, password, database: `${prefix}${tenant}` });
  session.on('error', () => {});
  return {
    engine: 'mariadb',
    run: async (sql) => {
      const [rows] = await session.query<RowDataPacket[]>(sql);
      return Array.isArray(rows) ? rows : [];
    },
    close: async () => session.destroy(),
  };
}

// The table `health` serves as a table of counters: an integer key and an integer.

export async function insertCounter(db: Db, id: number, beats = 0): Promise<void> {
  await db.insertInto('health').values({ id, beats }).execute();
}

export async function incrementCounter(db: WriteDb, id: number, by = 1): Promise<void> {
  await db
    .updateTable('health')
    .set((eb) => ({ beats: eb('beats', '+', by) }))
    .where('id', '=', id)
    .execute();
}

export async function findCounter(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('health').select('beats').where('id', '=', id).executeTakeFirst();
  return row?.beats;
}

/** The value of a counter in another session. */
export function readCounter({ database }: TestDatabase, id: number): Promise<number | undefined> {
  return database.read(longDeadline, (db) => findCounter(db, id));
}

/** Makes counters 2, 3, ... at zero (1 is the service's own). */
export async function insertCounters({ database }: TestDatabase, ...ids: number[]): Promise<void> {
  await database.write(longDeadline, async (db) => {
    for (const id of ids) await insertCounter(db, id);
  });
}
