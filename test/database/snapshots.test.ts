// A read sees one snapshot from its first statement to its last, and writes run one after the other.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { onBothEngines } from '../support/service.ts';
import { createDeferred } from '../support/async.ts';
import {
  incrementCounter,
  findCounter,
  insertCounters,
  openTestDatabase,
  longDeadline,
  insertCounter,
  readCounter,
  type TestDatabase,
} from '../support/test-database.ts';

onBothEngines((engine) => {
  let scratch: TestDatabase;
  before(async () => {
    scratch = await openTestDatabase(engine);
  });
  beforeEach(async () => {
    await scratch.database.write(longDeadline, (db) => db.deleteFrom('health').where('id', '>', 1).execute());
    await insertCounters(scratch, 2, 3);
  });
  after(() => scratch.close());

  test('a read does not see what is committed between two of its statements', async () => {
    const looked = createDeferred();
    const written = createDeferred();
    const reading = scratch.database.read(longDeadline, async (db) => {
      const first = await findCounter(db, 2);
      looked.resolve();
      await written.promise;
      const again = [await findCounter(db, 2), await findCounter(db, 3), await findCounter(db, 4)];
      return [first, ...again];
    });
    await looked.promise;
    await scratch.database.write(longDeadline, async (db) => {
      await incrementCounter(db, 2);
      await incrementCounter(db, 3);
      await insertCounter(db, 4);
    });
    const outsider = await scratch.connectDirectly();
    await outsider.run('update health set beats = beats + 10 where id = 3');
    await outsider.close();
    written.resolve();
    assert.deepEqual(await reading, [0, 0, 0, undefined]);
    assert.deepEqual(
      [await readCounter(scratch, 2), await readCounter(scratch, 3), await readCounter(scratch, 4)],
      [1, 11, 0],
    );
  });

  test('concurrent statements of a read see the same snapshot', async () => {
    const writing = { goesOn: true };
    const writer = (async () => {
      while (writing.goesOn) {
        await scratch.database.write(longDeadline, async (db) => {
          await incrementCounter(db, 2);
          await incrementCounter(db, 3);
        });
      }
    })();
    let changes = 0;
    let last = 0;
    for (let round = 0; round < 50 || (changes < 5 && round < 20_000); round += 1) {
      const seen = await scratch.database.read(longDeadline, (db) =>
        Promise.all([2, 3, 2, 3, 2].map((id) => findCounter(db, id))),
      );
      assert.equal(new Set(seen).size, 1, `one moment: ${seen.join(', ')}`);
      if (seen[0] !== last) changes += 1;
      last = seen[0] ?? 0;
    }
    writing.goesOn = false;
    await writer;
    assert.ok(changes >= 5, 'the writer was at work meanwhile');
  });

  test('a read of a single statement sees what was committed before, and a second statement is refused', async () => {
    const single = { ...longDeadline, isSingleStatement: true };
    for (const expected of [1, 2, 3]) {
      await scratch.database.write(longDeadline, (db) => incrementCounter(db, 2));
      assert.equal(await scratch.database.read(single, (db) => findCounter(db, 2)), expected);
      await assert.rejects(
        scratch.database.read(single, async (db) => [await findCounter(db, 2), await findCounter(db, 3)]),
        /a single statement has asked for another one/,
      );
    }
    const both = await scratch.database.read(longDeadline, (db) =>
      Promise.all([findCounter(db, 2), findCounter(db, 3)]),
    );
    assert.deepEqual(both, [3, 0]);
  });

  test('a read that begins after a write was answered sees it, on any connection', async () => {
    for (let round = 1; round <= 30; round += 1) {
      await scratch.database.write(longDeadline, (db) => incrementCounter(db, 2));
      const seen = await Promise.all(Array.from({ length: 4 }, () => readCounter(scratch, 2)));
      assert.deepEqual(seen, [round, round, round, round]);
    }
  });

  test("writes that read before they write lose none of each other's updates", async () => {
    const writers = Array.from({ length: 30 }, () =>
      scratch.database.write(longDeadline, async (db) => {
        await incrementCounter(db, 3);
        const value = (await findCounter(db, 2)) ?? 0;
        await db
          .updateTable('health')
          .set({ beats: value + 1 })
          .where('id', '=', 2)
          .execute();
      }),
    );
    await Promise.all(writers);
    assert.equal(await readCounter(scratch, 2), 30);
    assert.equal(await readCounter(scratch, 3), 30);
  });

  test('concurrent statements of a write are all part of it', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => at + 10);
    await scratch.database.write(longDeadline, (db) => Promise.all(ids.map((id) => insertCounter(db, id, id))));
    for (const id of ids) assert.equal(await readCounter(scratch, id), id);
    const refused = scratch.database.write(longDeadline, (db) =>
      Promise.all([
        ...ids.map((id) => incrementCounter(db, id)),
        insertCounter(db, 2),
        ...ids.map((id) => incrementCounter(db, id)),
      ]),
    );
    await assert.rejects(refused);
    for (const id of ids) assert.equal(await readCounter(scratch, id), id);
  });

  test('an error thrown by the work undoes the write and reaches the caller unchanged', async () => {
    class Refusal extends Error {}
    const refusal = new Refusal('not this way');
    const attempt = scratch.database.write(longDeadline, async (db) => {
      await incrementCounter(db, 2);
      await insertCounter(db, 4);
      throw refusal;
    });
    await assert.rejects(attempt, (error) => error === refusal);
    await assert.rejects(
      scratch.database.read(longDeadline, async () => {
        throw refusal;
      }),
      (error) => error === refusal,
    );
    assert.deepEqual([await readCounter(scratch, 2), await readCounter(scratch, 4)], [0, undefined]);
  });
});
