// Work that provably stored nothing is run again from its beginning, a bounded number of times; everything else runs
// once. The tests cause conflicts on the real engines.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { WriteDb } from '../../src/database/db.ts';
import { onBothEngines } from '../support/service.ts';
import { waitUntil, createDeferred, storageError } from '../support/async.ts';
import {
  incrementCounter,
  findCounter,
  insertCounters,
  openTestDatabase,
  longDeadline,
  insertCounter,
  readCounter,
  type DirectConnection,
  type TestDatabase,
} from '../support/test-database.ts';

onBothEngines((engine) => {
  let scratch: TestDatabase;
  let outsider: DirectConnection;
  before(async () => {
    scratch = await openTestDatabase(engine);
  });
  beforeEach(async () => {
    await scratch.database.write(longDeadline, (db) => db.deleteFrom('health').where('id', '>', 1).execute());
    await insertCounters(scratch, 2, 3, 4);
    outsider = await scratch.connectDirectly();
  });
  afterEach(() => outsider.close());
  after(() => scratch.close());

  if (engine === 'sqlite') {
    test("a write waits for another process, longer than the engine's own timeout, and is then done once", async () => {
      await outsider.run('begin immediate');
      let runs = 0;
      const writing = scratch.database.write(longDeadline, async (db) => {
        runs += 1;
        await incrementCounter(db, 2);
      });
      // The engine waits for five seconds; then the write is begun anew.
      await new Promise((resolve) => setTimeout(resolve, 5500));
      await outsider.run('commit');
      await writing;
      assert.equal(runs, 2, 'its first statement told that the transaction could not begin');
      assert.equal(await readCounter(scratch, 2), 1);
    });

    test('a write that waits for another process is stopped at its deadline, and reads continue', async () => {
      await outsider.run('begin immediate');
      const from = performance.now();
      await assert.rejects(
        scratch.database.write({ deadlineMs: 300 }, (db) => incrementCounter(db, 2)),
        storageError('timeout'),
      );
      assert.equal(await readCounter(scratch, 2), 0);
      assert.ok(performance.now() - from < 2000);
      await outsider.run('commit');
      await scratch.database.write(longDeadline, (db) => incrementCounter(db, 2));
      assert.equal(await readCounter(scratch, 2), 1);
    });
    return;
  }

  /** Two writes that lock two rows in opposite order, each waiting until the other holds its first. */
  async function deadlock(works: ((db: WriteDb, run: number) => Promise<void>)[] = []): Promise<number[]> {
    const held = [createDeferred(), createDeferred()];
    const orders = [
      [2, 3],
      [3, 2],
    ] as const;
    const runs = [0, 0];
    const writes = orders.map(([first, second], at) =>
      scratch.database.write(longDeadline, async (db) => {
        runs[at] = (runs[at] ?? 0) + 1;
        await incrementCounter(db, first);
        held[at]?.resolve();
        await held[1 - at]?.promise;
        const work = works[at] ?? (() => incrementCounter(db, second));
        await work(db, runs[at]);
      }),
    );
    await Promise.all(writes);
    return runs;
  }

  test('of two writes in a deadlock the victim is run again completely, and nothing is stored twice', async () => {
    const runs = await deadlock();
    assert.deepEqual(
      runs.toSorted((a, b) => a - b),
      [1, 2],
      'one was run twice',
    );
    assert.deepEqual([await readCounter(scratch, 2), await readCounter(scratch, 3)], [2, 2]);
  });

  test('work that ignores the error of a deadlock is not committed in part, but run again', async () => {
    const swallowing =
      (second: number) =>
      async (db: WriteDb): Promise<void> => {
        await incrementCounter(db, second).catch(() => undefined);
        await incrementCounter(db, 4).catch(() => undefined);
      };
    const runs = await deadlock([swallowing(3), swallowing(2)]);
    assert.deepEqual(
      runs.toSorted((a, b) => a - b),
      [1, 2],
    );
    assert.deepEqual(
      [await readCounter(scratch, 2), await readCounter(scratch, 3), await readCounter(scratch, 4)],
      [2, 2, 2],
    );
  });

  test('a statement sent together with one that ends in a deadlock is not stored separately', async () => {
    const atOnce =
      (second: number) =>
      async (db: WriteDb): Promise<void> => {
        await Promise.all([incrementCounter(db, second), incrementCounter(db, 4)]);
      };
    const runs = await deadlock([atOnce(3), atOnce(2)]);
    assert.deepEqual(
      runs.toSorted((a, b) => a - b),
      [1, 2],
    );
    assert.deepEqual(
      [await readCounter(scratch, 2), await readCounter(scratch, 3), await readCounter(scratch, 4)],
      [2, 2, 2],
    );
  });

  test('a write that times out on a lock is run again, and succeeds when the lock is released', async () => {
    await outsider.run('begin');
    await outsider.run('update health set beats = 10 where id = 3');
    let runs = 0;
    const writing = scratch.database.write(longDeadline, async (db) => {
      runs += 1;
      await incrementCounter(db, 2);
      await impatiently(db);
      await incrementCounter(db, 3);
    });
    await waitUntil('the write is run again', () => runs > 2);
    await outsider.run('commit');
    await writing;
    assert.deepEqual([await readCounter(scratch, 2), await readCounter(scratch, 3)], [1, 11]);
  });

  test('a write that meets a lock every time stops after eight runs, and has stored nothing', async () => {
    await outsider.run('begin');
    await outsider.run('update health set beats = 10 where id = 3');
    let runs = 0;
    const writing = scratch.database.write(longDeadline, async (db) => {
      runs += 1;
      await incrementCounter(db, 2);
      await insertCounter(db, 9);
      await impatiently(db);
      await incrementCounter(db, 3);
    });
    await assert.rejects(writing, storageError('unavailable'));
    assert.equal(runs, 8);
    assert.deepEqual([await readCounter(scratch, 2), await readCounter(scratch, 9)], [0, undefined]);
  });

  test('the runs of a write share one deadline', async () => {
    await outsider.run('begin');
    await outsider.run('update health set beats = 10 where id = 3');
    const from = performance.now();
    const writing = scratch.database.write({ deadlineMs: 700 }, async (db) => {
      await impatiently(db);
      await incrementCounter(db, 3);
    });
    await assert.rejects(writing, storageError('timeout'));
    assert.ok(performance.now() - from < 2000);
  });

  test('a row that changed since the snapshot of a write makes it run again on the current rows', async () => {
    let runs = 0;
    await scratch.database.write(longDeadline, async (db) => {
      runs += 1;
      const value = (await findCounter(db, 2)) ?? 0;
      if (runs === 1) await outsider.run('update health set beats = 40 where id = 2');
      await db
        .updateTable('health')
        .set({ beats: value + 1 })
        .where('id', '=', 2)
        .execute();
    });
    assert.equal(runs, 2);
    assert.equal(await readCounter(scratch, 2), 41);
  });
});

/** The session does not wait for locks. */
async function impatiently(db: WriteDb): Promise<void> {
  await sql`set innodb_lock_wait_timeout = 0`.execute(db);
}
