// A lost connection: before COMMIT the write is known to be undone; from COMMIT on its outcome is unknown, so it is
// never run again and its topics are published. A proxy before a real server cuts the connection.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { StorageAddress } from '../../src/database/storage-address.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { createToken } from '../support/factories.ts';
import { onBothEngines, startService } from '../support/service.ts';
import { createDeferred, storageError } from '../support/async.ts';
import { startProxy, type MySqlProxy, type ProxyAction } from './support/mysql-proxy.ts';
import {
  incrementCounter,
  findCounter,
  insertCounters,
  openTestDatabase,
  longDeadline,
  readCounter,
  tenant,
  type TestDatabase,
} from '../support/test-database.ts';

onBothEngines((engine) => {
  let scratch: TestDatabase;
  let told: string[][];
  before(async () => {
    scratch = await openTestDatabase(engine);
  });
  beforeEach(async () => {
    await scratch.database.write(longDeadline, (db) => db.deleteFrom('health').where('id', '>', 1).execute());
    await insertCounters(scratch, 2);
    told = [];
  });
  after(() => scratch.close());

  test('a write publishes its topics once, before its answer, and not if it was undone', async () => {
    scratch.databases.onCommit((of, topics) => {
      assert.equal(of, tenant);
      told.push([...topics]);
    });
    await scratch.database
      .write(longDeadline, async (db) => {
        db.changedTopics.add('a').add('b');
        await incrementCounter(db, 2);
      })
      .then(() => assert.deepEqual(told, [['a', 'b']]));
    await scratch.database.write(longDeadline, (db) => incrementCounter(db, 2));
    assert.deepEqual(told, [['a', 'b'], []], 'nothing is left of the write before');
    const refused = scratch.database.write(longDeadline, async (db) => {
      db.changedTopics.add('c');
      await incrementCounter(db, 2);
      throw new Error('refused');
    });
    await assert.rejects(refused, /refused/);
    await assert.rejects(scratch.database.write(longDeadline, (db) => makeDuplicate(db)));
    assert.equal(told.length, 2);
  });

  if (engine === 'mariadb')
    describe('behind a proxy', () => {
      let proxy: MySqlProxy;
      let databases: Databases;
      let database: TenantDatabase;
      let seen: string[];

      beforeEach(async () => {
        assert.ok(scratch.location.engine === 'mysql');
        proxy = await startProxy(scratch.location.nodes[0]);
        open({ ...scratch.location, nodes: [{ host: '127.0.0.1', port: proxy.port }] });
        await database.write(longDeadline, async () => undefined);
        seen = [];
        told = [];
      });
      afterEach(async () => {
        await databases.close();
        await proxy.close();
      });

      function open(location: StorageAddress): void {
        databases = openDatabases(location);
        databases.onCommit((_, topics) => told.push([...topics]));
        database = databases.forTenant(tenant);
      }

      /** Decides about the first `times` statements from here on that begin with the words. */
      function judge(words: string, verdict: ProxyAction, times = Number.POSITIVE_INFINITY): void {
        let left = times;
        proxy.decide = (statement) => {
          seen.push(statement);
          if (!statement.startsWith(words) || left === 0) return 'pass';
          left -= 1;
          return verdict;
        };
      }

      const write = (deadlineMs: number = longDeadline.deadlineMs): Promise<void> =>
        database.write({ deadlineMs }, async (db) => {
          db.changedTopics.add('x');
          await incrementCounter(db, 2);
        });
      const runs = (): number => seen.filter((statement) => statement.startsWith('update')).length;

      for (const [where, verdict, kept] of [
        ['after the server had committed', 'cut-answer', 1],
        ['before the server saw it', 'cut-before', 0],
      ] as const)
        test(`[general.27] a connection lost in COMMIT, ${where}: outcome unknown, never run again, published`, async () => {
          judge('commit', verdict);
          await assert.rejects(write(), storageError('outcome-unknown'));
          assert.equal(runs(), 1);
          assert.deepEqual(told, [['x']]);
          assert.equal(await readCounter(scratch, 2), kept);
        });

      test('[general.27] a deadline that passes in COMMIT: outcome unknown, never run again, published', async () => {
        judge('commit', 'keep-answer', 1);
        await assert.rejects(write(300), storageError('outcome-unknown'));
        assert.equal(runs(), 1);
        assert.deepEqual(told, [['x']]);
        assert.equal(await readCounter(scratch, 2), 1);
        await write();
        assert.equal(await readCounter(scratch, 2), 2);
      });

      test('a connection lost before COMMIT: unavailable, undone, not published, and the next write is done', async () => {
        judge('update', 'cut-answer', 1);
        await assert.rejects(write(), storageError('unavailable'));
        assert.equal(runs(), 1);
        assert.deepEqual(told, []);
        assert.equal(await readCounter(scratch, 2), 0);
        await write();
        assert.equal(await readCounter(scratch, 2), 1);
      });

      test('a connection lost in a read: unavailable, and the next read is answered', async () => {
        judge('select', 'cut-answer', 1);
        const read = () => database.read(longDeadline, (db) => findCounter(db, 2));
        await assert.rejects(read(), storageError('unavailable'));
        assert.equal(await read(), 0);
      });

      test('a connection that is found dead when a transaction begins fails neither a read nor a write', async () => {
        judge('start transaction', 'cut-before', 1);
        await write();
        judge('start transaction', 'cut-before', 1);
        assert.equal(await database.read(longDeadline, (db) => findCounter(db, 2)), 1);
        assert.deepEqual(told, [['x']]);
      });

      test('a connection lost while its session is prepared: unavailable, and the next one is complete', async () => {
        assert.ok(scratch.location.engine === 'mysql');
        await databases.close();
        open({ ...scratch.location, nodes: [{ host: '127.0.0.1', port: proxy.port }] });
        for (const words of ['set session sql_mode', 'show variables', 'set session innodb']) {
          judge(words, 'cut-before', 1);
          await assert.rejects(write(), storageError('unavailable'));
        }
        await write();
        assert.equal(await readCounter(scratch, 2), 1);
      });

      test('connections that hang while their session is prepared are closed, and their slots are free again', async () => {
        assert.ok(scratch.location.engine === 'mysql');
        await databases.close();
        open({ ...scratch.location, nodes: [{ host: '127.0.0.1', port: proxy.port }] });
        // The connection that read the schema is prepared: while it is busy, each write needs another one.
        await database.read(longDeadline, async () => {
          judge('set session sql_mode', 'keep-answer', 9);
          const hanging = Array.from({ length: 9 }, () => assert.rejects(write(100), storageError('timeout')));
          await Promise.all(hanging);
        });
        const hold = createDeferred();
        const full = Promise.withResolvers<void>();
        let begun = 0;
        const all = Array.from({ length: 10 }, () =>
          database.read(longDeadline, async () => {
            begun += 1;
            if (begun === 10) full.resolve();
            await hold.promise;
          }),
        );
        await full.promise;
        hold.resolve();
        await Promise.all(all);
      });

      test('[general.27] the caller of a write whose outcome is unknown gets a 503, and the write is not run again', async () => {
        const { storageUrl } = scratch.storage;
        const url = new URL(storageUrl);
        url.port = String(proxy.port);
        const storage = { storageUrl: url.href, release: async () => {} };
        const service = await startService(engine, { storage });
        try {
          const { token } = await createToken(service);
          let deletes = 0;
          proxy.decide = (statement) => {
            if (statement.startsWith('delete from `sessions`')) deletes += 1;
            return deletes > 0 && statement === 'commit' ? 'cut-answer' : 'pass';
          };
          const reply = await service.call('POST', '/api/v1/session/logout', { token });
          assert.equal(reply.status, 503);
          assert.equal(reply.json.code, 'storage-outcome-unknown');
          assert.equal(deletes, 1);
        } finally {
          await service.stop();
        }
      });
    });
});

async function makeDuplicate(db: Parameters<typeof incrementCounter>[0]): Promise<void> {
  db.changedTopics.add('d');
  await db.insertInto('health').values({ id: 2, beats: 0 }).execute();
}
