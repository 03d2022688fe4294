// Connections: opened when they are first needed, never more than the limit, shared fairly, and all gone after close.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import { openSqlitePool } from '../../src/database/dialects/sqlite/pool.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { withConnection } from '../../src/database/with-connection.ts';
import { createStorage, onBothEngines } from '../support/service.ts';
import { waitUntil, createDeferred, storageError } from '../support/async.ts';
import {
  incrementCounter,
  findCounter,
  storageAddressOf,
  insertCounters,
  openTestDatabase,
  longDeadline,
  sqliteFile,
  tenant,
  type DirectConnection,
  type TestDatabase,
} from '../support/test-database.ts';
import { sqliteThreads } from './support/sqlite-threads.ts';

onBothEngines((engine) => {
  const limits = engine === 'sqlite' ? { read: 2, write: 1, download: 1 } : { read: 10, write: 10, download: 2 };
  // On SQLite a reader has looked at the schema before the first write.
  const open = engine === 'sqlite' ? { ...limits, write: 2 } : limits;
  let scratch: TestDatabase;
  let outsider: DirectConnection;
  let databases: Databases;
  let database: TenantDatabase;
  before(async () => {
    scratch = await openTestDatabase(engine);
    await insertCounters(scratch, 2);
    outsider = await scratch.connectDirectly();
  });
  beforeEach(async () => {
    await scratch.databases.close();
    databases = openDatabases(scratch.location);
    database = databases.forTenant(tenant);
  });
  afterEach(() => databases.close());
  after(async () => {
    await outsider.close();
    await scratch.close();
  });

  /** The number of connections of this process to the database, without the test's own. */
  async function connections(): Promise<number> {
    if (engine === 'sqlite') return sqliteThreads();
    return (await outsider.run('select id from information_schema.processlist where db = database()')).length - 1;
  }
  const connectionsBecome = (count: number): Promise<void> =>
    waitUntil(`${count} connections`, async () => (await connections()) === count);

  test('a database is opened when it is first used, and its connections are reused', async () => {
    const storage = await createStorage(engine);
    const location = storageAddressOf(storage);
    const unused = openDatabases(location);
    unused.forTenant(tenant);
    if (engine === 'sqlite') assert.equal(existsSync(sqliteFile(location)), false);
    await unused.close();
    await storage.release();

    await connectionsBecome(0);
    for (let at = 0; at < 20; at += 1) await database.read(longDeadline, (db) => findCounter(db, 2));
    assert.equal(await connections(), 1);
    for (let at = 0; at < 20; at += 1) await database.write(longDeadline, (db) => incrementCounter(db, 2, 0));
    assert.equal(await connections(), engine === 'sqlite' ? 2 : 1);
  });

  for (const kind of ['read', 'write'] as const)
    test(`of each ${kind} no more than ${limits[kind]} run at once, and the others follow in order`, async () => {
      const hold = createDeferred();
      const full = Promise.withResolvers<void>();
      const begun: number[] = [];
      const all = Array.from({ length: 30 }, (_, at) =>
        database[kind](longDeadline, async (db) => {
          const count = begun.push(at);
          await findCounter(db, 2);
          if (count === limits[kind]) full.resolve();
          await hold.promise;
        }),
      );
      await full.promise;
      await connectionsBecome(open[kind]);
      assert.equal(begun.length, limits[kind]);
      hold.resolve();
      await Promise.all(all);
      assert.equal(begun.length, 30);
      if (engine === 'sqlite')
        assert.deepEqual(
          begun,
          begun.toSorted((a, b) => a - b),
        );
      assert.equal(await connections(), open[kind]);
    });

  test('downloads have connections of their own: neither they nor other reads wait for each other', async () => {
    const forDownload = { ...longDeadline, forDownload: true };
    const [hold, full] = [createDeferred(), createDeferred()];
    let running = 0;
    const downloads = Array.from({ length: 20 }, () =>
      database.read(forDownload, async (db) => {
        if (++running === limits.download) full.resolve();
        await findCounter(db, 2);
        await hold.promise;
      }),
    );
    await full.promise;
    assert.equal(await database.read(longDeadline, (db) => findCounter(db, 2)), 0);
    assert.equal(running, limits.download, 'the others of them wait');
    const reads = Array.from({ length: limits.read }, () => database.read(longDeadline, () => hold.promise));
    const waiting = database.read(longDeadline, (db) => findCounter(db, 2));
    assert.equal(await Promise.race([waiting, sleep(50, 'it waits')]), 'it waits');
    await connectionsBecome(limits.read + limits.download);
    hold.resolve();
    await Promise.all([...downloads, ...reads, waiting]);
    assert.equal(running, 20);
  });

  test('a request that finds a thousand waiting is refused at once, and the thousand are served', async () => {
    const hold = createDeferred();
    const holding = Array.from({ length: limits.read }, () => database.read(longDeadline, () => hold.promise));
    let served = 0;
    const waiting = Array.from({ length: 1000 }, () =>
      database.read(longDeadline, async () => {
        served += 1;
      }),
    );
    await assert.rejects(
      database.read(longDeadline, async () => undefined),
      storageError('unavailable'),
    );
    assert.equal(served, 0);
    hold.resolve();
    await Promise.all([...holding, ...waiting]);
    assert.equal(served, 1000);
  });

  test('closing finishes running work, refuses waiting and new work, and leaves nothing open', async () => {
    const hold = createDeferred();
    let begun = 0;
    const running = Array.from({ length: limits.write }, (_, at) =>
      database.write(longDeadline, async (db) => {
        await findCounter(db, 2);
        begun += 1;
        await hold.promise;
        if (at === 0) await incrementCounter(db, 2);
      }),
    );
    await waitUntil('all have begun', () => begun === limits.write);
    const waiting = assert.rejects(
      database.write(longDeadline, (db) => incrementCounter(db, 2, 100)),
      storageError('unavailable'),
    );
    const closing = databases.close();
    const coming = assert.rejects(
      database.read(longDeadline, (db) => findCounter(db, 2)),
      storageError('unavailable'),
    );
    await coming;
    hold.resolve();
    await Promise.all([...running, waiting, closing]);
    await connectionsBecome(0);
    await databases.close();
    const again = openDatabases(scratch.location);
    assert.equal(await again.forTenant(tenant).read(longDeadline, (db) => findCounter(db, 2)), 1);
    await again.forTenant(tenant).write(longDeadline, (db) => incrementCounter(db, 2, -1));
    await again.close();
  });

  test('tenants do not wait for each other, and share nothing', async () => {
    await databases.migrate('fjord');
    const hold = createDeferred();
    const holding = Array.from({ length: limits.write }, () => database.write(longDeadline, () => hold.promise));
    await databases
      .forTenant('fjord')
      .write(longDeadline, (db) => db.insertInto('health').values({ id: 2, beats: 5 }).execute());
    assert.equal(await databases.forTenant('fjord').read(longDeadline, (db) => findCounter(db, 2)), 5);
    hold.resolve();
    await Promise.all(holding);
    assert.equal(await database.read(longDeadline, (db) => findCounter(db, 2)), 0);
  });

  if (engine === 'sqlite')
    test('a thread that was still opening when a deadline passed serves the next request', async () => {
      const pool = openSqlitePool(sqliteFile(scratch.location));
      let started = 0;
      const count = (): void => void (started += 1);
      process.on('worker', count);
      try {
        const impatient = { group: 'write', deadlineMs: 1 } as const;
        await assert.rejects(
          withConnection(pool, impatient, (connection) => connection.begin('write')),
          storageError('timeout'),
        );
        pool.release(await pool.acquire('write'), false);
        // The event loop reports a new thread in a later turn.
        await nextTurn();
        assert.equal(started, 1);
      } finally {
        process.off('worker', count);
        await pool.close();
      }
    });

  test('a process that has closed its databases ends', () => {
    const script = `
      import { openDatabases } from ${JSON.stringify(import.meta.resolve('../../src/database/databases.ts'))};
      const databases = openDatabases(${JSON.stringify(scratch.location)});
      const database = databases.forTenant('${tenant}');
      const options = { deadlineMs: 20_000 };
      await database.write(options, (db) => db.updateTable('health').set({ beats: 0 }).where('id', '=', 99).execute());
      await database.read(options, (db) => db.selectFrom('health').selectAll().execute());
      await databases.close();
      process.stdout.write('closed');`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
      timeout: 60_000,
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: 'closed' });
  });
});
