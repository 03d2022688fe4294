// Several replicas of the service on one storage: each keeps snapshots of its own, and knows the cursors of the others.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
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

  test('[status.32] a cursor of another replica is 410 in its context, and a fresh first page goes on at the same row', async () => {
    for (const [made, other] of [
      [here, there],
      [there, here],
    ] as const) {
      const first = await readStatusPage(made, manager);
      const cursor = cursorOf(first);
      const { status, json } = await other.call('GET', pageTarget({ cursor }), manager);
      assert.deepEqual([status, json.code], [410, 'status-snapshot-expired']);
      // It still leads on where it was made.
      const second = await readStatusPage(made, manager, { cursor });
      assert.equal(second.offset, 25);
      const [anchor] = alertsOf(second.status);
      const again = await readStatusPage(other, manager, { anchor: anchor ?? '', offset: 25 });
      assert.deepEqual([again.offset, alertsOf(again.status)], [25, alertsOf(second.status)]);
    }
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
