// The engines refuse invalid values instead of converting them, each connection has the required session settings, and
// both engines count unchanged rows the same way.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db, WriteDb } from '../../src/database/db.ts';
import { DuplicateError } from '../../src/database/errors.ts';
import { onBothEngines } from '../support/service.ts';
import { storageError } from '../support/async.ts';
import {
  incrementCounter,
  insertCounters,
  openTestDatabase,
  longDeadline,
  readCounter,
  type TestDatabase,
} from '../support/test-database.ts';

onBothEngines((engine) => {
  let scratch: TestDatabase;
  before(async () => {
    scratch = await openTestDatabase(engine);
    await insertCounters(scratch, 2);
  });
  after(() => scratch.close());

  const write = (work: (db: WriteDb) => Promise<unknown>): Promise<unknown> =>
    scratch.database.write(longDeadline, work);

  test('a value of another type is refused, and nothing of the write stays', async () => {
    for (const wrong of ['many', '1.5x', 1.5e300, Number.NaN, new Uint8Array([1, 2])]) {
      const attempt = write(async (db) => {
        await incrementCounter(db, 2);
        await sql`insert into health (id, beats) values (3, ${wrong})`.execute(db);
      });
      await assert.rejects(attempt, `${String(wrong)} is no integer`);
    }
    assert.equal(await readCounter(scratch, 2), 0);
    assert.equal(await readCounter(scratch, 3), undefined);
  });

  test('a missing value is refused where one is needed', async () => {
    await assert.rejects(write((db) => sql`insert into health (id, beats) values (3, null)`.execute(db)));
    await assert.rejects(write((db) => sql`insert into health (id) values (3)`.execute(db)));
    assert.equal(await readCounter(scratch, 3), undefined);
  });

  test('a duplicate key is a DuplicateError, and its write stores nothing', async () => {
    const attempt = write(async (db) => {
      await incrementCounter(db, 2);
      await db.insertInto('health').values({ id: 2, beats: 9 }).execute();
    });
    await assert.rejects(attempt, DuplicateError);
    assert.equal(await readCounter(scratch, 2), 0);
  });

  test('a row that an update matches counts as updated, changed or not', async () => {
    await scratch.database.write(longDeadline, async (db) => {
      const update = (id: number) =>
        db.updateTable('health').set({ beats: 0 }).where('id', '=', id).executeTakeFirstOrThrow();
      assert.equal((await update(2)).numUpdatedRows, 1n);
      assert.equal((await update(99)).numUpdatedRows, 0n);
    });
  });

  test('a read refuses to write', async () => {
    await assert.rejects(scratch.database.read(longDeadline, (db) => incrementCounter(db as WriteDb, 2)));
    assert.equal(await readCounter(scratch, 2), 0);
  });

  test('a transaction cannot be begun inside a transaction', async () => {
    const nested = write(async (db) => {
      await incrementCounter(db, 2);
      await db.transaction().execute(async () => undefined);
    });
    await assert.rejects(nested, /already under way/);
    assert.equal(await readCounter(scratch, 2), 0, 'what had been written is not committed by the attempt');
  });

  test('a statement after the end of its write does not affect a later write', async () => {
    const late = Promise.withResolvers<void>();
    let stray: Promise<unknown> = Promise.resolve();
    const failing = write(async (db) => {
      stray = late.promise.then(() => incrementCounter(db, 2, 100));
      throw new Error('refused');
    });
    await assert.rejects(failing, /refused/);
    await write(async (db) => {
      await incrementCounter(db, 2);
      late.resolve();
      await assert.rejects(stray, /has ended/);
    });
    assert.equal(await readCounter(scratch, 2), 1);
    await write((db) => db.updateTable('health').set({ beats: 0 }).where('id', '=', 2).execute());
  });

  if (engine === 'mariadb') {
    const text = (value: string) => sql`insert into tenant_settings (name, value) values ('long', ${value})`;

    test('text that is too long is refused, not cut', async () => {
      await write((db) => text('x'.repeat(255)).execute(db));
      await write((db) => sql`delete from tenant_settings`.execute(db));
      await assert.rejects(write((db) => text('x'.repeat(256)).execute(db)));
    });

    test('comparing texts of incompatible collations is a failure of its own kind', async () => {
      const mixing = (db: Db) =>
        sql`select * from tenant_settings where name collate utf8mb4_bin = value collate utf8mb4_danish_ci`.execute(db);
      await assert.rejects(scratch.database.read(longDeadline, mixing), storageError('text-comparison'));
      await assert.rejects(scratch.database.write(longDeadline, mixing), storageError('text-comparison'));
    });

    test('a fraction that the server computes does not end the process', async () => {
      const { rows } = await scratch.database.read(longDeadline, (db) =>
        sql`select 1.5 as decimals, avg(beats) as average from health where id = 2`.execute(db),
      );
      assert.deepEqual(rows, [{ decimals: 1.5, average: 0 }]);
    });

    test('every connection has the required session settings', async () => {
      const settings = sql`select @@sql_mode as mode, @@time_zone as zone, @@collation_connection as collation,
        @@innodb_lock_wait_timeout as lock_wait, @@max_statement_time as statement, @@innodb_snapshot_isolation as isolation,
        @@tx_isolation as level, @@autocommit as autocommit`;
      const look = async (db: Db): Promise<unknown> => (await settings.execute(db)).rows[0];
      const expected = {
        mode: 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
        zone: '+00:00',
        collation: 'utf8mb4_bin',
        lock_wait: 5,
        statement: 30,
        isolation: 1,
        level: 'REPEATABLE-READ',
        autocommit: 1,
      };
      const all = await Promise.all(Array.from({ length: 10 }, () => scratch.database.read(longDeadline, look)));
      for (const one of [...all, await scratch.database.write(longDeadline, look)]) assert.deepEqual(one, expected);
    });
  } else {
    test('every table is STRICT, and a write is on disk before it is answered', async () => {
      const tables = await scratch.database.read(longDeadline, async (db) => {
        const { rows } = await sql<{ name: string; strict: number }>`
          select name, strict from pragma_table_list where name not like 'sqlite_%' and name not like 'kysely_%'`.execute(
          db,
        );
        return rows;
      });
      assert.ok(tables.length > 10);
      for (const { name, strict } of tables) assert.equal(strict, 1, `${name} is STRICT`);
      await scratch.database.write(longDeadline, async (db) => {
        const value = async (pragma: string) =>
          Object.values((await sql.raw<object>(`pragma ${pragma}`).execute(db)).rows[0] ?? {})[0];
        assert.equal(await value('journal_mode'), 'wal');
        assert.equal(await value('synchronous'), 2);
        assert.equal(await value('foreign_keys'), 1);
      });
    });
  }
});
