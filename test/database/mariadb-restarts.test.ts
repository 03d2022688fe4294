// A MariaDB server that crashes, hangs, closes connections, is full or is read-only under a running service: every
// failure has its kind, nothing acknowledged is lost, and the service recovers when the server does.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { StorageAddress } from '../../src/database/storage-address.ts';
import { StorageError } from '../../src/database/errors.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { noMariaDb, startMariaDb, type MariaDb } from '../support/mariadb-server.ts';
import { waitUntil, storageError } from '../support/async.ts';
import {
  incrementCounter,
  findCounter,
  storageAddressOf,
  connectDirectly,
  longDeadline,
  insertCounter,
  tenant,
  type DirectConnection,
} from '../support/test-database.ts';

const unavailable = storageError('unavailable');

describe('mariadb', { skip: noMariaDb }, () => {
  let server: MariaDb;
  let location: StorageAddress;
  let databases: Databases;
  let database: TenantDatabase;
  let outsider: DirectConnection;
  before(async () => {
    const started = await startMariaDb({ flushLogAtCommit: 1, bufferPoolMegabytes: 64 });
    assert.ok(started);
    server = started;
  });
  after(() => server.stop());
  beforeEach(async () => {
    location = storageAddressOf({ storageUrl: server.url('t_'), release: async () => {} });
    databases = openDatabases(location);
    await databases.migrate(tenant);
    database = databases.forTenant(tenant);
    outsider = await connectDirectly(location);
    await database.write(longDeadline, async (db) => {
      await db.deleteFrom('health').where('id', '>', 1).execute();
      await insertCounter(db, 2);
    });
  });
  afterEach(async () => {
    await outsider.close();
    await databases.close();
  });

  const read = (deadlineMs = 5000): Promise<number | undefined> =>
    database.read({ deadlineMs }, (db) => findCounter(db, 2));
  const write = (deadlineMs = 5000): Promise<void> => database.write({ deadlineMs }, (db) => incrementCounter(db, 2));
  const connections = async (): Promise<number> =>
    (await outsider.run('select id from information_schema.processlist where db = database()')).length - 1;
  const several = (work: () => Promise<unknown>, count = 12): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, work));

  test('a crash under load: what was acknowledged is there, and reads and writes go on after the restart', async () => {
    let done = 0;
    let unknown = 0;
    const failures = new Set<string>();
    const load = { goesOn: true };
    const loading = several(async () => {
      while (load.goesOn) {
        await write(2000).then(
          () => (done += 1),
          (error: unknown) => {
            assert.ok(error instanceof StorageError, String(error));
            failures.add(error.failure);
            if (error.failure === 'outcome-unknown') unknown += 1;
          },
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }, 8);
    await waitUntil('writes are done', () => done > 20);
    server.kill();
    await waitUntil('writes fail', () => failures.size > 0);
    await assert.rejects(read(), unavailable);
    await server.restart();
    const doneBefore = done;
    await waitUntil('writes are done again', () => done > doneBefore + 20);
    load.goesOn = false;
    await loading;
    const kept = (await read()) ?? -1;
    assert.ok(done <= kept && kept <= done + unknown, `${done} done, ${unknown} unknown, ${kept} kept`);
    for (const failure of failures) assert.match(failure, /^(unavailable|outcome-unknown)$/);
  });

  test('connections that the server has closed while they were idle cause no error', async () => {
    await several(read);
    await waitUntil('all connections are there', async () => (await connections()) === 10);
    const ids = await outsider.run(
      'select id from information_schema.processlist where db = database() and id <> connection_id()',
    );
    for (const { id } of ids) await outsider.run(`kill ${String(id)}`);
    await several(read);
    await several(write);
    assert.equal(await read(), 12);
  });

  test('a server that hangs: every request is answered at the deadline, and the pool is complete when the server continues', async () => {
    await several(read);
    process.kill(server.pid, 'SIGSTOP');
    try {
      // Stop every thread: one that still runs would answer.
      await waitUntil('every thread stands still', async () => isStopped(server.pid));
      const from = performance.now();
      const failing = async (work: Promise<unknown>): Promise<void> =>
        assert.rejects(work, ({ failure }: StorageError) => /^(timeout|unavailable|outcome-unknown)$/.test(failure));
      for (let round = 0; round < 3; round += 1)
        await several(() => Promise.all([failing(read(150)), failing(write(150))]));
      assert.ok(performance.now() - from < 2500, 'nobody waits longer');
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await waitUntil('as many as ever run at once', async () => {
      await several(() => read(1000).catch(() => undefined), 20);
      return (await connections()) === 10;
    });
    await several(write);
    assert.ok(((await read()) ?? -1) >= 12);
  });

  test('a server without room for a connection: unavailable, until there is room', async () => {
    await outsider.run('set global max_connections = 10');
    const others: DirectConnection[] = [];
    await databases.close();
    databases = openDatabases(location);
    database = databases.forTenant(tenant);
    try {
      for (;;) others.push(await connectDirectly(location));
    } catch {
      await assert.rejects(read(), unavailable);
      await assert.rejects(write(), unavailable);
    }
    for (const other of others) await other.close();
    await waitUntil('there is room', () =>
      read().then(
        () => true,
        () => false,
      ),
    );
    await write();
    await outsider.run('set global max_connections = 400');
    assert.equal(await read(), 1);
  });

  test('a server that has become read-only: reads are answered, writes are unavailable until it is writable', async () => {
    assert.ok(location.engine === 'mysql');
    await outsider.run(`create or replace user limited@127.0.0.1 identified by 'limited'`);
    await outsider.run('grant all on t_sund.* to limited@127.0.0.1');
    await databases.close();
    databases = openDatabases({ ...location, user: 'limited', password: 'limited' });
    database = databases.forTenant(tenant);
    await write();
    await outsider.run('set global read_only = 1');
    await assert.rejects(write(), unavailable);
    assert.equal(await read(), 1);
    await outsider.run('set global read_only = 0');
    await write();
    assert.equal(await read(), 2);
  });

  test('a missing database or a wrong password: unavailable', async () => {
    assert.ok(location.engine === 'mysql');
    for (const wrong of [
      { prefix: 'nowhere_' },
      { password: 'wrong' },
      { nodes: [{ host: '127.0.0.1', port: 1 }] as const },
    ]) {
      const other = openDatabases({ ...location, ...wrong });
      await assert.rejects(
        other.forTenant(tenant).read(longDeadline, (db) => findCounter(db, 2)),
        unavailable,
      );
      await assert.rejects(
        other.forTenant(tenant).write(longDeadline, (db) => incrementCounter(db, 2)),
        unavailable,
      );
      await assert.rejects(other.compareSchema(tenant), unavailable);
      await other.close();
    }
  });
});

function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /^State:\s+T/m.test(readFileSync(`${tasks}/${task}/status`, 'utf8')));
}
