// A process whose PORTAL_STORAGE names three nodes of a Galera cluster writes to the first of them that can be used, goes to
// the next one when that fails, and comes back by itself. Nothing acknowledged is lost, and nothing is stored twice.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { Db } from '../../src/database/db.ts';
import { StorageError } from '../../src/database/errors.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { createDeferred, waitUntil } from '../support/async.ts';
import { findCounter, incrementCounter, insertCounter, longDeadline, tenant } from '../support/test-database.ts';
import { noGalera, startCluster, type GaleraCluster, type GaleraNode } from './support/galera-cluster.ts';

/** The cluster leaves out a silent node after three seconds. */
const maxUnavailableMs = 3000 + 2000;

describe('failover in a Galera cluster', { skip: noGalera }, () => {
  let cluster: GaleraCluster;
  let databases: Databases;
  let database: TenantDatabase;
  before(async () => {
    cluster = await startCluster();
    const [first, ...others] = cluster.nodes.map(({ location }) => location);
    assert.ok(first !== undefined);
    databases = openDatabases({ ...first, nodes: [first.nodes[0], ...others.map(({ nodes }) => nodes[0])] });
    await databases.migrate(tenant);
    database = databases.forTenant(tenant);
    await database.write(longDeadline, (db) => insertCounter(db, 2));
  });
  after(async () => {
    await databases?.close();
    await cluster?.stop();
  });

  const node = (at: number): GaleraNode => cluster.nodes[at] ?? assert.fail('there is no such node');
  const readNodeName = async (db: Db): Promise<string> => {
    const { rows } = await sql<{ name: string }>`select @@wsrep_node_name as name`.execute(db);
    return rows[0]?.name ?? '';
  };
  const findNodeOfWrites = (): Promise<string> => database.write({ deadlineMs: 8000 }, readNodeName);
  const findNodeOfWaiting = (): Promise<string> => database.write({ deadlineMs: 30_000 }, readNodeName);

  test('[cluster.01] all nodes work: the first one is written to, by every process', async () => {
    assert.equal(await findNodeOfWrites(), 'n0');
  });

  test('[cluster.01] a node that an administrator has made read-only is left for the next one, and used again afterwards', async () => {
    const readOnly = (on: boolean) => node(0).run(`set global read_only = ${on ? 'on' : 'off'}`);
    await readOnly(true);
    await waitUntil('the next one is written to', async () => (await findNodeOfWrites()) === 'n1');
    await readOnly(false);
    await waitUntil('the first one is written to again', async () => (await findNodeOfWrites()) === 'n0');
  });

  test('what every node refuses is unavailable, and not asked for without end', async () => {
    const [first, second] = cluster.nodes.map(({ location }) => location);
    assert.ok(first !== undefined && second !== undefined);
    const other = openDatabases({ ...first, nodes: [first.nodes[0], second.nodes[0]], prefix: 'nowhere_' });
    await assert.rejects(
      other.forTenant(tenant).read(longDeadline, (db) => findCounter(db, 2)),
      { failure: 'unavailable' },
    );
    await other.close();
  });

  test('[cluster.01] the node that is written to dies: the next one is, soon; when it is back, it is written to again', async (t) => {
    const load = startLoad(database);
    await waitUntil('there are writes', async () => load.done > 20);
    await node(0).kill();
    await waitUntil('writes go on', async () => load.lastDoneAt > load.lastFailedAt && load.done > 40);
    assert.equal(await findNodeOfWrites(), 'n1');
    await node(0).restart();
    await waitUntil('the first node is written to again', async () => (await findNodeOfWrites()) === 'n0');
    await load.stop();
    assert.deepEqual([...load.unexpected], []);
    t.diagnostic(`no write for ${Math.round(load.longestPauseMs)} ms; ${load.done} done, ${load.unknown} unknown`);
    assert.ok(load.longestPauseMs <= maxUnavailableMs * 1.5, `no write for ${Math.round(load.longestPauseMs)} ms`);
    await assertKept(database, load);
  });

  test('[cluster.01] the node that is written to is cut off from the others: the next one is written to', async () => {
    const load = startLoad(database);
    await waitUntil('there are writes', async () => load.done > 20);
    await node(0).isolate(true);
    await waitUntil('another node is written to', async () => (await findNodeOfWrites().catch(() => '')) === 'n1');
    await node(0).isolate(false);
    await waitUntil(
      'the first node is written to again',
      async () => (await findNodeOfWrites().catch(() => '')) === 'n0',
      30_000,
    );
    await load.stop();
    assert.deepEqual([...load.unexpected], []);
    await assertKept(database, load);
  });

  test('[cluster.04] the node falls silent: requests that wait for one of its connections go on at the next node', async () => {
    // As many as there are connections to a node.
    const holders = 10;
    const held = createDeferred();
    let begun = 0;
    const holding = Array.from({ length: holders }, () =>
      database.read(longDeadline, async (db) => {
        await findCounter(db, 2);
        begun += 1;
        await held.promise;
      }),
    );
    const settled = Promise.allSettled(holding);
    await waitUntil('all connections are in use', () => begun === holders);
    node(0).suspend(true);
    try {
      const waiting = Array.from({ length: 2 * holders }, findNodeOfWaiting);
      assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['n1']));
    } finally {
      node(0).suspend(false);
      held.resolve();
      await settled;
    }
    await waitUntil(
      'the first node is written to again',
      async () => (await findNodeOfWrites().catch(() => '')) === 'n0',
    );
  });

  test('[cluster.01] two of three nodes die: unavailable, and nothing that was acknowledged is lost', async () => {
    const load = startLoad(database);
    await waitUntil('there are writes', async () => load.done > 20);
    await Promise.all([node(1).kill(), node(2).kill()]);
    await waitUntil('writes fail', async () => load.lastFailedAt > load.lastDoneAt);
    await assert.rejects(
      database.write({ deadlineMs: 1000 }, (db) => incrementCounter(db, 3)),
      StorageError,
    );
    await node(0).run(`set global wsrep_provider_options = 'pc.bootstrap=true'`);
    const { done } = load;
    await waitUntil('writes go on', async () => load.done > done + 5);
    await load.stop();
    await assertKept(database, load);
  });
});

type Load = {
  done: number;
  unknown: number;
  lastDoneAt: number;
  lastFailedAt: number;
  longestPauseMs: number;
  /** What the counter had before. */
  readonly hadBefore: Promise<number>;
  readonly unexpected: Set<string>;
  stop(): Promise<void>;
};

/** Four writers that increment one counter, each write after the one before. */
function startLoad(database: TenantDatabase): Load {
  const ending = new AbortController();
  const load: Omit<Load, 'stop'> = {
    done: 0,
    unknown: 0,
    lastDoneAt: performance.now(),
    lastFailedAt: 0,
    longestPauseMs: 0,
    hadBefore: database.read(longDeadline, async (db) => (await findCounter(db, 2)) ?? 0),
    unexpected: new Set(),
  };
  const write = async (): Promise<void> => {
    try {
      await database.write({ deadlineMs: 8000 }, (db) => incrementCounter(db, 2));
      const now = performance.now();
      load.done += 1;
      load.longestPauseMs = Math.max(load.longestPauseMs, now - load.lastDoneAt);
      load.lastDoneAt = now;
    } catch (error) {
      load.lastFailedAt = performance.now();
      if (!(error instanceof StorageError)) load.unexpected.add(String(error));
      else if (error.failure === 'outcome-unknown') load.unknown += 1;
    }
  };
  const running = load.hadBefore.then(() =>
    Promise.all(
      [1, 2, 3, 4].map(async () => {
        while (!ending.signal.aborted) await write();
      }),
    ),
  );
  return Object.assign(load, {
    stop: async () => {
      ending.abort();
      await running;
    },
  });
}

async function assertKept(database: TenantDatabase, { hadBefore, done, unknown }: Load): Promise<void> {
  const kept = ((await database.read(longDeadline, (db) => findCounter(db, 2))) ?? -1) - (await hadBefore);
  assert.ok(done <= kept && kept <= done + unknown, `${done} done, ${unknown} unknown, ${kept} kept`);
}
