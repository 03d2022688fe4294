// Several replicas of the service on one storage: each finds the snapshots of the others.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeferred } from '../support/async.ts';
import { createToken } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { alertsOf, deletePlaces, insertBankOfUnits, pageTarget, readStatusPage } from './support/status-units.ts';

serviceSuite({ now: testNow, replicas: 2 }, ({ service: here, replicaFor, manager }) => {
  const there = replicaFor(1);
  before(async () => {
    await here.write('sund', async (db) => {
      await deletePlaces(db);
      await insertBankOfUnits(db, 1001, {
        1: Array.from({ length: 60 }, () => ({ last_contact_at: testNow - dayMs })),
      });
    });
  });
  const cursorOf = (page: { readonly nextCursor: string | null }): string =>
    page.nextCursor ?? assert.fail('no cursor');

  test('[status.30] a cursor leads on at every replica, and all pages are of one snapshot', async () => {
    for (const [made, other] of [
      [here, there],
      [there, here],
    ] as const) {
      const first = await readStatusPage(made, manager);
      await made.write('sund', (db) => db.updateTable('units').set({ last_contact_at: testNow }).execute());
      const second = await readStatusPage(other, manager, { cursor: cursorOf(first) });
      const third = await readStatusPage(made, manager, { cursor: cursorOf(second) });
      const back = await readStatusPage(other, manager, { cursor: third.previousCursor ?? assert.fail('no cursor') });
      assert.deepEqual([first.totalCount, second.totalCount, third.totalCount], [60, 60, 60]);
      assert.deepEqual([second.offset, third.offset, third.nextCursor], [25, 50, null]);
      assert.deepEqual(alertsOf(back.status), alertsOf(second.status));
      const shown = new Set([first, second, third].flatMap(({ status }) => alertsOf(status)));
      assert.equal(shown.size, 60);
      await made.write('sund', (db) =>
        db
          .updateTable('units')
          .set({ last_contact_at: testNow - dayMs })
          .execute(),
      );
    }
  });

  test('a first page does not wait for somebody who writes for long, and its cursor leads on at its replica', async () => {
    const released = createDeferred();
    const begun = createDeferred();
    let isWriting = true;
    const writing = here.write('sund', async (db) => {
      await db.deleteFrom('health').where('id', '=', 9).execute();
      begun.resolve();
      await Promise.race([released.promise, sleep(10_000)]);
      isWriting = false;
    });
    await begun.promise;
    const first = await readStatusPage(here, manager);
    assert.equal(isWriting, true);
    released.resolve();
    await writing;
    assert.equal((await readStatusPage(here, manager, { cursor: cursorOf(first) })).offset, 25);
  });

  test('[status.32] of a ninth snapshot of a manager, the oldest is dropped at every replica', async () => {
    const cursors: string[] = [];
    for (let count = 0; count < 9; count += 1) cursors.push(cursorOf(await readStatusPage(here, manager)));
    const states = await Promise.all(
      cursors.map(async (cursor) => (await there.call('GET', pageTarget({ cursor }), manager)).status),
    );
    assert.deepEqual(states, [410, ...Array.from({ length: 8 }, () => 200)]);
  });

  test('[status.32] another manager finds no snapshot of this one', async () => {
    const cursor = cursorOf(await readStatusPage(here, manager));
    const other = await createToken(here);
    const { status } = await there.call('GET', pageTarget({ cursor }), other);
    assert.equal(status, 409);
  });

  test('[status.26, status.27] a replica knows a changed context and an altered cursor without the snapshot', async () => {
    const cursor = cursorOf(await readStatusPage(here, manager));
    const changed = await there.call('GET', pageTarget({ cursor, pageSize: 10 }), manager);
    assert.deepEqual([changed.status, changed.json.code], [409, 'status-context-changed']);
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const text of [altered, 'x'.repeat(cursor.length)]) {
      const { status, json } = await there.call('GET', pageTarget({ cursor: text }), manager);
      assert.deepEqual([status, json.code], [400, 'invalid-page']);
    }
  });
});
