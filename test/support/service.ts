// Starts a service for tests: the real application on a real database of either engine, listening on loopback.

import type { FastifyInstance } from 'fastify';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { createOperations, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Db, LockableDb } from '../../src/database/db.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import type { Geocoder } from '../../src/providers/geocoding/geocoder.ts';
import { createDependencies, type Dependencies } from '../../src/dependencies.ts';
import { prepareDatabase } from './migrated-copy.ts';
import { noMariaDb, sharedMariaDbUrl, startMariaDb, type MariaDb } from './mariadb-server.ts';
import { createCaller, type Call } from './call.ts';
import { assertDeclared, watchProblems } from './declared-problems.ts';

export type Engine = 'sqlite' | 'mariadb';

export type TestStorage = { readonly storageUrl: string; release(): Promise<void> };

let fileMariaDb: Promise<MariaDb | undefined> | undefined;
let lastPrefix = 0;

let declaredOperations: readonly Operation[] | undefined;

/** What is declared is the same for every service, and takes a while to make. */
export const declareOperations = (dependencies: Dependencies): readonly Operation[] =>
  (declaredOperations ??= createOperations(dependencies).operations);

/** A place for databases that nobody else uses. */
export async function createStorage(engine: Engine): Promise<TestStorage> {
  if (engine === 'sqlite') {
    const directory = mkdtempSync(join(tmpdir(), 'portal-test-'));
    return {
      storageUrl: `sqlite:${directory}`,
      release: async () => rmSync(directory, { recursive: true, force: true }),
    };
  }
  return { storageUrl: await mariaDbUrl(`t${process.pid}_${++lastPrefix}_`), release: async () => {} };
}

async function mariaDbUrl(prefix: string): Promise<string> {
  const shared = sharedMariaDbUrl();
  if (shared !== undefined) return shared + prefix;
  fileMariaDb ??= startMariaDb();
  const server = await fileMariaDb;
  if (server === undefined) throw new Error(String(noMariaDb));
  return server.url(prefix);
}

/** Declares the same tests for both engines; where there is no MariaDB, the reason for skipping its half is shown. */
export function onBothEngines(declare: (engine: Engine) => void): void {
  describe('sqlite', () => declare('sqlite'));
  describe('mariadb', { skip: noMariaDb }, () => {
    declare('mariadb');
    after(async () => {
      const server = await fileMariaDb;
      fileMariaDb = undefined;
      await server?.stop();
    });
  });
}

export type TestService = {
  readonly engine: Engine;
  readonly dependencies: Dependencies;
  readonly app: FastifyInstance;
  readonly port: number;
  readonly call: Call;
  /** Reads straight from a tenant's database. */
  read<T>(tenant: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** Writes straight into a tenant's database. */
  write<T>(tenant: string, work: (db: LockableDb) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

export type TestServiceOptions = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly tenants?: readonly string[];
  readonly clock?: () => number;
  readonly demo?: boolean;
  readonly geocoder?: Geocoder;
  /** Storage of another service, shared with it. */
  readonly storage?: TestStorage;
};

export async function startService(engine: Engine, options: TestServiceOptions = {}): Promise<TestService> {
  const { settings = {}, tenants = ['sund'], clock, geocoder, demo = false } = options;
  const storage = options.storage ?? (await createStorage(engine));
  const cache = mkdtempSync(join(tmpdir(), 'portal-cache-'));
  const config = readConfig({
    PORTAL_STORAGE: storage.storageUrl,
    PORTAL_CACHE: cache,
    PORTAL_MAIL_OUTBOX: join(cache, 'outbox'),
    PORTAL_HOSTING_STATE: join(cache, 'hosting'),
    PORTAL_PORT: '0',
    PORTAL_LOG_LEVEL: 'silent',
    PORTAL_RATE_LIMIT: 'off',
    // All clients of a test have one address.
    PORTAL_CONNECTIONS: '10000,10000',
    ...settings,
  });
  const dependencies = createDependencies(config, {
    demo,
    ...(clock === undefined ? {} : { clock }),
    ...(geocoder === undefined ? {} : { geocoder }),
  });
  for (const tenant of tenants) await prepareDatabase(dependencies.databases, config.storage, tenant);
  const app = await createApp(dependencies);
  const operations = declareOperations(dependencies);
  const undeclaredProblems = watchProblems(app, operations);
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  return {
    engine,
    dependencies,
    app,
    port,
    // Where connections are counted, none is kept.
    call: createCaller(port, operations, !('PORTAL_CONNECTIONS' in settings) && new Agent({ keepAlive: true })),
    read: (tenant, work) => dependencies.databases.forTenant(tenant).read({ deadlineMs: 60_000 }, work),
    write: (tenant, work) => dependencies.databases.forTenant(tenant).write({ deadlineMs: 60_000 }, work),
    stop: async () => {
      await app.close();
      await dependencies.databases.close();
      rmSync(cache, { recursive: true, force: true });
      if (options.storage === undefined) await storage.release();
      assertDeclared(undeclaredProblems);
    },
  };
}
