// A read sees one moment of the database from its first statement to its last, and writes go one after the other.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { onBothEngines } from '../support/service.ts';
import { gate } from './support/conditions.ts';
import {
  addTo,
  counter,
  makeCounters,
  openScratch,
  patient,
  putCounter,
  stored,
  type Scratch,
} from './support/scratch.ts';

onBothEngines((engine) => {
  let scratch: Scratch;
  before(async () => {
    scratch = await openScratch(engine);
  });
  beforeEach(async () => {
    await scratch.database.write(patient, (db) => db.deleteFrom('health').where('id', '>', 1).execute());
    await makeCounters(scratch, 2, 3);
  });
  after(() => scratch.close());

  test(`what is committed between two statements of a read is unseen by it (${engine})`, async () => {
    const looked = gate();
    const written = gate();
    const reading = scratch.database.read(patient, async (db) => {
      const first = await counter(db, 2);
      looked.open();
      await written.opened;
      const again = [await counter(db, 2), await counter(db, 3), await counter(db, 4)];
      return [first, ...again];
    });
    await looked.opened;
    await scratch.database.write(patient, async (db) => {
      await addTo(db, 2);
      await addTo(db, 3);
      await putCounter(db, 4);
    });
    const outsider = await scratch.outsider();
    await outsider.run('update health set beats = beats + 10 where id = 3');
    await outsider.close();
    written.open();
    assert.deepEqual(await reading, [0, 0, 0, undefined]);
    assert.deepEqual([await stored(scratch, 2), await stored(scratch, 3), await stored(scratch, 4)], [1, 11, 0]);
  });

  test(`statements asked for at once see the same moment (${engine})`, async () => {
    const writing = { goesOn: true };
    const writer = (async () => {
      while (writing.goesOn) {
        await scratch.database.write(patient, async (db) => {
          await addTo(db, 2);
          await addTo(db, 3);
        });
      }
    })();
    let changes = 0;
    let last = 0;
    for (let round = 0; round < 50 || (changes < 5 && round < 20_000); round += 1) {
      const seen = await scratch.database.read(patient, (db) =>
        Promise.all([2, 3, 2, 3, 2].map((id) => counter(db, id))),
      );
      assert.equal(new Set(seen).size, 1, `one moment: ${seen.join(', ')}`);
      if (seen[0] !== last) changes += 1;
      last = seen[0] ?? 0;
    }
    writing.goesOn = false;
    await writer;
    assert.ok(changes >= 5, 'the writer was at work meanwhile');
  });

  test(`a read begun after a write was answered sees it, whichever connection it gets (${engine})`, async () => {
    for (let round = 1; round <= 30; round += 1) {
      await scratch.database.write(patient, (db) => addTo(db, 2));
      const seen = await Promise.all(Array.from({ length: 4 }, () => stored(scratch, 2)));
      assert.deepEqual(seen, [round, round, round, round]);
    }
  });

  test(`writes that read before they write lose none of each other's updates (${engine})`, async () => {
    const writers = Array.from({ length: 30 }, () =>
      scratch.database.write(patient, async (db) => {
        await addTo(db, 3);
        const value = (await counter(db, 2)) ?? 0;
        await db
          .updateTable('health')
          .set({ beats: value + 1 })
          .where('id', '=', 2)
          .execute();
      }),
    );
    await Promise.all(writers);
    assert.equal(await stored(scratch, 2), 30);
    assert.equal(await stored(scratch, 3), 30);
  });

  test(`statements of a write asked for at once are all part of it (${engine})`, async () => {
    const ids = Array.from({ length: 20 }, (_, at) => at + 10);
    await scratch.database.write(patient, (db) => Promise.all(ids.map((id) => putCounter(db, id, id))));
    for (const id of ids) assert.equal(await stored(scratch, id), id);
    const refused = scratch.database.write(patient, (db) =>
      Promise.all([...ids.map((id) => addTo(db, id)), putCounter(db, 2), ...ids.map((id) => addTo(db, id))]),
    );
    await assert.rejects(refused);
    for (const id of ids) assert.equal(await stored(scratch, id), id);
  });

  test(`an error thrown by the work undoes the write and arrives as it is (${engine})`, async () => {
    class Refusal extends Error {}
    const refusal = new Refusal('not this way');
    const attempt = scratch.database.write(patient, async (db) => {
      await addTo(db, 2);
      await putCounter(db, 4);
      throw refusal;
    });
    await assert.rejects(attempt, (error) => error === refusal);
    await assert.rejects(
      scratch.database.read(patient, async () => {
        throw refusal;
      }),
      (error) => error === refusal,
    );
    assert.deepEqual([await stored(scratch, 2), await stored(scratch, 4)], [0, undefined]);
  });
});
