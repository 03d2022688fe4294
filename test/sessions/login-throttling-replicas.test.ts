// Wrong passwords count once over all replicas of the service, and after a restart.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { anonymiseTenant } from '../../src/commands/tenants/anonymise.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { insertTestManager } from '../support/factories.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';

const limitOfAccount = 10;
const limitOfAddress = 300;
const limitOfUnknown = 30;
const windowMs = 300_000;

serviceSuite({ manager: false, replicas: 2 }, ({ service, replicaFor, onStop }) => {
  /** Each has a database connection and a throttle of its own. */
  let replicas: readonly [TestInstance, TestInstance];
  /** Stands still. */
  const clock = { now: Date.now() };
  /** Is awaited before the next right password is found to be right. */
  let beforeRight: (() => Promise<void>) | undefined;
  const startReplica = (at: number): Promise<TestInstance> => {
    const verify: typeof plainPasswords.verify = async (given, stored) => {
      const isRight = await plainPasswords.verify(given, stored);
      const work = isRight ? beforeRight : undefined;
      if (work !== undefined) beforeRight = undefined;
      await work?.();
      return isRight;
    };
    return startInstance(replicaFor(at), { passwordHasher: { ...plainPasswords, verify }, clock: () => clock.now });
  };
  before(async () => {
    await service.write('sund', async (db) => {
      for (const userName of ['anna', 'bo'])
        await insertTestManager(db, { userName, passwordHash: plainPasswordHash('right') });
    });
    replicas = [await startReplica(0), await startReplica(1)];
    for (const each of replicas) onStop(each.stop);
  });
  beforeEach(async () => {
    clock.now += 2 * windowMs;
    await service.write('sund', (db) => db.deleteFrom('manager_addresses').execute());
  });

  const loginAt = async ({ app }: TestInstance, from: string, userName: string, password: string) => {
    const { statusCode: status, headers } = await app.inject({
      method: 'POST',
      url: '/api/v1/session/login',
      remoteAddress: from,
      headers: { host: 'api.sund.localhost' },
      payload: { userName, password },
    });
    return { status, retryAfter: Number(headers['retry-after']) };
  };
  /** At the replicas in turn. */
  const login = (at: number, from: string, userName: string, password: string) =>
    loginAt(at % 2 === 0 ? replicas[0] : replicas[1], from, userName, password);
  const failures = () => service.read('sund', (db) => db.selectFrom('login_failures').selectAll().execute());

  test('[auth.28, replicas.01] failures at two replicas are refused together, also after a restart, until the window ends', async () => {
    for (let at = 0; at < limitOfAccount; at += 1)
      assert.equal((await login(at, '192.0.2.1', 'anna', 'wrong')).status, 401);
    const restarted = await startReplica(1);
    try {
      for (const each of [...replicas, restarted]) {
        const { status, retryAfter } = await loginAt(each, '192.0.2.1', 'anna', 'right');
        assert.deepEqual([status, retryAfter], [429, windowMs / 1000]);
        assert.equal((await loginAt(each, '192.0.2.2', 'anna', 'right')).status, 200, 'another address');
      }
    } finally {
      await restarted.stop();
    }
    clock.now += windowMs - 1;
    assert.equal((await login(0, '192.0.2.1', 'anna', 'right')).status, 429);
    clock.now += 1;
    assert.equal((await login(1, '192.0.2.1', 'anna', 'right')).status, 200);
  });

  test('[auth.28, replicas.01] failures from many addresses at two replicas are refused together', async () => {
    for (let at = 0; at < limitOfUnknown; at += 1)
      assert.equal((await login(at, `198.51.100.${at}`, 'bo', 'wrong')).status, 401);
    for (const at of [0, 1])
      assert.deepEqual(await login(at, `203.0.113.${at}`, 'bo', 'right'), { status: 429, retryAfter: 10 });
    clock.now += 10_000;
    assert.equal((await login(0, '203.0.113.0', 'bo', 'wrong')).status, 401);
    assert.equal((await login(1, '203.0.113.1', 'bo', 'right')).status, 429);
  });

  test('[auth.28, replicas.01] failures from one address for any names at two replicas are refused together', async () => {
    for (let at = 0; at < limitOfAddress; at += 1)
      assert.equal((await login(at, '198.51.100.7', `guess${at}`, 'x')).status, 401);
    for (const at of [0, 1]) assert.equal((await login(at, '198.51.100.7', 'anna', 'right')).status, 429);
  });

  test('[replicas.01] attempts at the same time at two replicas cannot exceed a limit together', async () => {
    const count = (replies: readonly { status: number }[], status: number) =>
      replies.filter((each) => each.status === status).length;
    const fromOne = await Promise.all(Array.from({ length: 40 }, (_, at) => login(at, '192.0.2.9', 'anna', 'wrong')));
    assert.deepEqual([count(fromOne, 401), count(fromOne, 429)], [limitOfAccount, 30]);
    const fromMany = await Promise.all(
      Array.from({ length: 120 }, (_, at) => login(at, `198.51.100.${at % 60}`, 'bo', 'wrong')),
    );
    assert.deepEqual([count(fromMany, 401), count(fromMany, 429)], [limitOfUnknown, 120 - limitOfUnknown]);
  });

  test('[replicas.01] a right password is refused if another replica has used up the limit while it was checked', async () => {
    beforeRight = async () => {
      for (let at = 0; at < limitOfAccount; at += 1)
        assert.equal((await loginAt(replicas[1], '192.0.2.3', 'anna', 'wrong')).status, 401);
    };
    assert.equal((await loginAt(replicas[0], '192.0.2.3', 'anna', 'right')).status, 429);
    const sessions = await service.read('sund', (db) =>
      db.selectFrom('sessions').select('token_hash').where('created_at', '=', toMs2000(clock.now)).execute(),
    );
    assert.deepEqual(sessions, [], 'no session has begun');
  });

  test('[replicas.01] a success at one replica forgets the failures at both', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < limitOfAccount - 1; at += 1)
        assert.equal((await login(at, '192.0.2.4', 'anna', 'wrong')).status, 401);
      assert.equal((await login(round, '192.0.2.4', 'anna', 'right')).status, 200);
    }
  });

  test('[replicas.01] logins without failures store nothing of the throttling', async () => {
    await service.write('sund', (db) => db.deleteFrom('login_failures').execute());
    for (let at = 0; at < 4; at += 1) assert.equal((await login(at, `192.0.2.${at}`, 'anna', 'right')).status, 200);
    assert.deepEqual(await failures(), []);
  });

  test('[replicas.01] counts are stored without names and addresses, and deleted after they have ended', async () => {
    await login(0, '192.0.2.5', 'somebody unknown', 'wrong');
    const stored = await failures();
    assert.ok(stored.length >= 3);
    assert.doesNotMatch(JSON.stringify(stored), /192\.0\.2\.5|somebody/);
    clock.now += 2 * windowMs;
    await login(1, '192.0.2.6', 'anna', 'wrong');
    const left = await failures();
    assert.equal(left.length, 3, 'those of the last failure');
    // By the clock of the machine, before which those of the test have not ended.
    await service.write('sund', (db) => db.updateTable('login_failures').set({ ends_at: 1 }).execute());
    await anonymiseTenant(service.dependencies.databases.forTenant('sund'), 'sund', {});
    assert.deepEqual(await failures(), []);
  });

  test('[replicas.01] a count that ends in a distant future, after a wrong clock, keeps nobody out', async () => {
    for (let at = 0; at < limitOfAccount; at += 1) await login(at, '192.0.2.7', 'anna', 'wrong');
    await service.write('sund', (db) =>
      db
        .updateTable('login_failures')
        .set({ ends_at: toMs2000(clock.now) + 24 * 3_600_000 })
        .execute(),
    );
    assert.equal((await login(0, '192.0.2.7', 'anna', 'right')).status, 200);
    await service.write('sund', (db) => db.deleteFrom('login_failures').execute());
  });
});
