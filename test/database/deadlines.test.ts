// A deadline ends the wait and the work: the running statement stops, nothing of it is stored, and the next request is
// served at once.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/database/db.ts';
import { StorageError } from '../../src/database/errors.ts';
import { onBothEngines } from '../support/service.ts';
import { waitUntil, createDeferred, storageError, measureMs } from '../support/async.ts';
import {
  incrementCounter,
  insertCounters,
  openTestDatabase,
  longDeadline,
  readCounter,
  type TestDatabase,
} from '../support/test-database.ts';
import { busySqliteThreads } from './support/sqlite-threads.ts';

const short = { deadlineMs: 200 } as const;

/** A statement that would take minutes, written as the service writes its scans. */
function endless(db: Db): Promise<unknown> {
  if (db.dialect.engine === 'mysql') return sql`select benchmark(20000000000, md5('x'))`.execute(db);
  return sql`with recursive n(i) as (select 1 union all select i + 1 from n)
    select count(*) from n where ${db.dialect.interruptCheck(sql.ref('i'))}`.execute(db);
}

onBothEngines((engine) => {
  let scratch: TestDatabase;
  before(async () => {
    scratch = await openTestDatabase(engine);
  });
  beforeEach(async () => {
    await scratch.database.write(longDeadline, (db) => db.deleteFrom('health').where('id', '>', 1).execute());
    await insertCounters(scratch, 2);
  });
  after(() => scratch.close());

  /** The statements that still run for the service, from the engine's view. */
  async function isWorking(): Promise<boolean> {
    if (engine === 'sqlite') return busySqliteThreads() > 0;
    const outsider = await scratch.connectDirectly();
    const running = await outsider.run(`select info from information_schema.processlist where info like '%benchmark%'`);
    await outsider.close();
    return running.some(({ info }) => !String(info).includes('processlist'));
  }

  for (const kind of ['read', 'write'] as const)
    test(`a ${kind} is answered at its deadline, and its statement stops`, async () => {
      const from = performance.now();
      const stopped = assert.rejects(scratch.database[kind]({ deadlineMs: 1000 }, endless), storageError('timeout'));
      await waitUntil('the statement runs', isWorking, 800);
      await stopped;
      const ms = performance.now() - from;
      assert.ok(ms >= 990 && ms < 2000, `${ms} ms`);
      await waitUntil('the statement has stopped', async () => !(await isWorking()), 3000);
    });

  test('a write that is stopped stores nothing and holds no lock', async () => {
    const writing = scratch.database.write(short, async (db) => {
      await incrementCounter(db, 2);
      await endless(db);
    });
    await assert.rejects(writing, storageError('timeout'));
    const ms = await measureMs(scratch.database.write(longDeadline, (db) => incrementCounter(db, 2)));
    assert.ok(ms < 3000, 'its lock is gone');
    assert.equal(await readCounter(scratch, 2), 1);
  });

  test('work that continues after its deadline can no longer reach the database', async () => {
    const late = createDeferred();
    let reached: Promise<unknown> = Promise.resolve();
    const writing = scratch.database.write(short, async (db) => {
      await incrementCounter(db, 2, 10);
      await late.promise;
      reached = incrementCounter(db, 2, 100);
      await reached;
    });
    await assert.rejects(writing, storageError('timeout'));
    const next = scratch.database.write(longDeadline, async (db) => {
      late.resolve();
      await sleep(20);
      await incrementCounter(db, 2);
    });
    await next;
    await assert.rejects(reached);
    assert.equal(await readCounter(scratch, 2), 1);
  });

  test('requests that wait behind a stopped statement are served', async () => {
    const stopped = Array.from({ length: 10 }, () =>
      assert.rejects(scratch.database.read(short, endless), storageError('timeout')),
    );
    const waiting = Array.from({ length: 5 }, () => readCounter(scratch, 2));
    const ms = await measureMs(Promise.all(waiting));
    await Promise.all(stopped);
    assert.deepEqual(await Promise.all(waiting), [0, 0, 0, 0, 0]);
    assert.ok(ms < 5000);
    await waitUntil('everything has stopped', async () => !(await isWorking()), 3000);
  });

  test('the time spent waiting for a connection counts towards the deadline', async () => {
    const hold = createDeferred();
    const taken = Promise.withResolvers<void>();
    let holders = 0;
    const everyConnection = engine === 'sqlite' ? 1 : 10;
    const holding = Array.from({ length: everyConnection }, () =>
      scratch.database.write(longDeadline, async () => {
        holders += 1;
        if (holders === everyConnection) taken.resolve();
        await hold.promise;
      }),
    );
    await taken.promise;
    let ran = 0;
    const impatient = async (): Promise<void> => {
      ran += 1;
    };
    const ms = await measureMs(assert.rejects(scratch.database.write(short, impatient), storageError('timeout')));
    assert.ok(ms >= 190 && ms < 1000, `${ms} ms`);
    const next = scratch.database.write(longDeadline, (db) => incrementCounter(db, 2));
    hold.resolve();
    await Promise.all([...holding, next]);
    assert.equal(ran, 0, 'work whose time is over is not begun');
    assert.equal(await readCounter(scratch, 2), 1);
  });

  test('a deadline at any moment leaves no doubt about what is stored, and no open connection', async () => {
    const told: unknown[] = [];
    scratch.databases.onCommit((_, topics) => told.push(topics));
    let done = 0;
    let unknown = 0;
    let timeouts = 0;
    const attempt = async (at: number): Promise<void> => {
      try {
        await scratch.database.write({ deadlineMs: 1 + (at % 23) }, async (db) => {
          await incrementCounter(db, 2);
          await readCounter(scratch, 2).catch(() => undefined);
        });
        done += 1;
      } catch (error) {
        assert.ok(error instanceof StorageError, String(error));
        if (error.failure === 'outcome-unknown') unknown += 1;
        else if (error.failure === 'timeout') timeouts += 1;
        else assert.fail(error.failure);
      }
    };
    for (let round = 0; round < 12; round += 1)
      await Promise.all(Array.from({ length: 6 }, (_, at) => attempt(round * 6 + at)));
    const kept = (await readCounter(scratch, 2)) ?? -1;
    assert.ok(done <= kept && kept <= done + unknown, `${done} done, ${unknown} unknown, ${kept} kept`);
    assert.equal(told.length, done + unknown);
    assert.ok(timeouts > 0, 'some were late');
    const hold = createDeferred();
    const all = Array.from({ length: 2 }, () => scratch.database.read(longDeadline, () => hold.promise));
    hold.resolve();
    await Promise.all(all);
  });
});
