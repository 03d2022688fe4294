// The addresses from which a manager has logged in: what is stored of them, for how long, and for whom.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { insertTestManager } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const home = '192.0.2.10';
const maxKnown = 20;
const lifetimeMs = 180 * dayMs;

serviceSuite({ now: testNow, manager: false }, ({ service, clock, onStop }) => {
  let anna: number;
  let instance: TestInstance;
  before(async () => {
    const passwordHash = plainPasswordHash('right');
    anna = await service.write('sund', async (db) => {
      await insertTestManager(db, { userName: 'bo', passwordHash });
      return (await insertTestManager(db, { userName: 'anna', passwordHash })).managerId;
    });
  });
  const start = async (): Promise<TestInstance> => {
    const started = await startInstance(service, { passwordHasher: plainPasswords });
    onStop(started.stop);
    return started;
  };
  before(async () => {
    instance = await start();
  });
  /** As if they had been long ago. */
  const forgetFailures = () => service.write('sund', (db) => db.deleteFrom('login_failures').execute());
  beforeEach(async () => {
    await forgetFailures();
    await service.write('sund', (db) => db.deleteFrom('manager_addresses').execute());
  });

  const loginFrom = async (remoteAddress: string, { app } = instance, password = 'right', userName = 'anna') => {
    const payload = { userName, password };
    const headers = { host: 'api.sund.localhost' };
    const url = '/api/v1/session/login';
    return (await app.inject({ method: 'POST', url, remoteAddress, headers, payload })).statusCode;
  };
  /** An attack on Anna that leaves nothing to unknown addresses, after earlier ones. */
  const attack = async (attacked = instance): Promise<void> => {
    await forgetFailures();
    const attempts = Array.from({ length: 30 }, (_, at) => loginFrom(`203.0.113.${at}`, attacked, 'wrong'));
    assert.deepEqual(new Set(await Promise.all(attempts)), new Set([401]));
  };
  const stored = () => service.read('sund', (db) => db.selectFrom('manager_addresses').selectAll().execute());

  test('an address is known to every process, those that start later too', async () => {
    await attack();
    assert.equal(await loginFrom(home), 429);
    await forgetFailures();
    const other = await start();
    assert.equal(await loginFrom(home, other), 200);
    await attack();
    assert.equal(await loginFrom(home), 200);
    const later = await start();
    await attack(later);
    assert.equal(await loginFrom(home, later), 200);
  });

  test('an IPv6 address is known with its whole /64 network', async () => {
    assert.equal(await loginFrom('2001:db8:0:7::1'), 200);
    await attack();
    assert.equal(await loginFrom('2001:db8:0:7:a:b:c:d'), 200);
    assert.equal(await loginFrom('2001:db8:0:8::1'), 429);
  });

  test('an address without a login is not stored, and no address is stored in plain text', async () => {
    assert.equal(await loginFrom(home, instance, 'wrong'), 401);
    assert.deepEqual(await stored(), []);
    assert.equal(await loginFrom(home), 200);
    assert.equal(await loginFrom(home, instance, 'right', 'bo'), 200);
    const rows = await stored();
    assert.equal(rows.length, 2);
    assert.ok(!JSON.stringify(rows).includes(home));
    assert.equal(
      new Set(rows.map(({ address_hash }) => address_hash)).size,
      2,
      'two managers’ rows cannot be compared',
    );
  });

  test('an address is known for 180 days after the last login from it', async () => {
    await loginFrom(home);
    for (let login = 0; login < 2; login += 1) {
      clock.now += lifetimeMs - 1;
      await attack();
      assert.equal(await loginFrom(home), 200, 'and each login counts anew');
    }
    clock.now += lifetimeMs;
    await attack();
    assert.equal(await loginFrom(home), 429);
    await forgetFailures();
    assert.equal(await loginFrom('192.0.2.11'), 200);
    assert.equal((await stored()).length, 1, 'what has expired is deleted by the next login');
  });

  test('the newest twenty addresses of a manager are known', async () => {
    for (let at = 0; at <= maxKnown; at += 1) {
      clock.now += 1;
      assert.equal(await loginFrom(`192.0.2.${100 + at}`), 200);
      if (at === 10) assert.equal(await loginFrom('192.0.2.100'), 200, 'used again, so newer');
    }
    assert.equal((await stored()).length, maxKnown);
    await attack();
    assert.equal(await loginFrom('192.0.2.101'), 429);
    assert.equal(await loginFrom('192.0.2.100'), 200);
    assert.equal(await loginFrom('192.0.2.102'), 200);
  });

  test('a new password makes every address unknown', async () => {
    await loginFrom(home);
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ credential_stamp: 'turned' }).where('manager_id', '=', anna).execute(),
    );
    await attack();
    assert.equal(await loginFrom(home), 429);
  });

  test('logins from new addresses at the same time are all remembered', async () => {
    const addresses = Array.from({ length: 12 }, (_, at) => `192.0.2.${at % 6}`);
    const statuses = await Promise.all(addresses.map((address) => loginFrom(address)));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal((await stored()).length, 6);
  });
});
