// When managers were last seen: stored to within 15 minutes, apart from the requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred, waitUntil } from '../support/async.ts';
import { createToken } from '../support/factories.ts';
import { mockMonotonicClock, startInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, minuteMs, testNow } from '../support/times.ts';
import type { Databases } from '../../src/database/databases.ts';

// Not the current manager, who is told whether storage can be written: that is found out by a write.
const path = '/api/v1/managers?limit=1';

serviceSuite({ now: testNow, manager: false }, ({ service, clock }) => {
  const lastSeen = (managerId: number): Promise<number | undefined> =>
    service.read('sund', async (db) => {
      const query = db.selectFrom('manager_activity').select('last_seen_at').where('manager_id', '=', managerId);
      return (await query.executeTakeFirst())?.last_seen_at;
    });
  /** Another instance on the same storage, whose writes go through `around`. */
  const startWatched = (around: (write: () => Promise<unknown>) => Promise<unknown>) => {
    const { databases } = service.dependencies;
    const watched: Databases = {
      ...databases,
      forTenant: (tenant) => ({
        ...databases.forTenant(tenant),
        write: <T>(...args: Parameters<ReturnType<Databases['forTenant']>['write']>) =>
          around(() => databases.forTenant(tenant).write(...args)) as Promise<T>,
      }),
    };
    return startInstance(service, { databases: watched });
  };

  test('[managers.24] a manager is seen at login, and again with a use of a session 15 minutes later', async () => {
    const { token, managerId } = await createToken(service, { livesMs: 10 * hourMs });
    assert.equal(await lastSeen(managerId), testNow);
    const monotonic = mockMonotonicClock();
    try {
      for (const [minutes, stored] of [
        [14, 0],
        [15, 15],
        [29, 15],
        [31, 31],
      ] as const) {
        clock.now = testNow + minutes * minuteMs;
        // Snapshots of the session are read again.
        monotonic.advance(minuteMs);
        assert.equal((await service.call('GET', path, { token })).status, 200);
        await waitUntil(
          `stored after ${minutes} minutes`,
          async () => (await lastSeen(managerId)) === testNow + stored * minuteMs,
        );
      }
    } finally {
      monotonic.restore();
    }
  });

  test('no request waits for the write, many uses are one write, and its failure fails no request', async () => {
    const held = createDeferred();
    let writes = 0;
    const instance = await startWatched(async (write) => {
      writes += 1;
      await held.promise;
      throw new Error(`nothing is stored by ${write.name}`);
    });
    try {
      const { token, managerId } = await createToken(service, { livesMs: 10 * hourMs });
      clock.now = testNow + 60 * minuteMs;
      const uses = Array.from({ length: 20 }, () => instance.call('GET', path, { token }));
      for (const { status } of await Promise.all(uses)) assert.equal(status, 200);
      assert.equal(writes, 1);
      held.resolve();
      assert.equal((await instance.call('GET', path, { token })).status, 200);
      assert.equal(await lastSeen(managerId), testNow);
    } finally {
      held.resolve();
      await instance.stop();
    }
  });

  test('managers who are seen during a write are written together, and the service waits for it when it stops', async () => {
    const held = createDeferred();
    let writes = 0;
    const instance = await startWatched(async (write) => {
      writes += 1;
      await held.promise;
      return write();
    });
    const tokens = await Promise.all(Array.from({ length: 5 }, () => createToken(service, { livesMs: 10 * hourMs })));
    clock.now = testNow + 60 * minuteMs;
    for (const { token } of tokens) assert.equal((await instance.call('GET', path, { token })).status, 200);
    assert.equal(writes, 1);
    held.resolve();
    await instance.stop();
    assert.equal(writes, 2);
    for (const { managerId } of tokens) assert.equal(await lastSeen(managerId), clock.now);
  });

  test('a time that another replica stored less than 15 minutes ago is not overwritten', async () => {
    const { token, managerId } = await createToken(service, { livesMs: 10 * hourMs });
    // This replica still has the snapshot of before.
    assert.equal((await service.call('GET', path, { token })).status, 200);
    const stored = testNow + 50 * minuteMs;
    await service.write('sund', (db) =>
      db.updateTable('manager_activity').set({ last_seen_at: stored }).where('manager_id', '=', managerId).execute(),
    );
    const instance = await startWatched((write) => write());
    clock.now = testNow + 60 * minuteMs;
    for (const { call } of [service, instance]) assert.equal((await call('GET', path, { token })).status, 200);
    await instance.stop();
    assert.equal(await lastSeen(managerId), stored);
  });

  test('a request without a valid session is not a use of one', async () => {
    const { token, managerId } = await createToken(service, { livesMs: minuteMs });
    clock.now = testNow + 60 * minuteMs;
    assert.equal((await service.call('GET', path, { token })).status, 401);
    assert.equal(await lastSeen(managerId), testNow);
  });
});
