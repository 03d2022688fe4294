// Failed logins are counted by account and address, and logins beyond the limit are refused.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestManager } from '../support/factories.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { StorageError } from '../../src/database/errors.ts';
import { Problem } from '../../src/lib/problem.ts';
import { serviceSuite } from '../support/service-suite.ts';

const limitOfAccount = 10;
const limitOfAddress = 300;
const windowMs = 300_000;
/** Of an account from all unknown addresses together. */
const limitOfUnknown = 30;
const refillSeconds = 10;

serviceSuite({ tenants: ['sund', 'fjord'], manager: false }, ({ service, onStop }) => {
  let instance: TestInstance;
  /** Stands still. */
  const clock = { now: Date.now(), advance: (ms: number) => void (clock.now += ms) };
  let checked = 0;
  /** Thrown in place of checking a password. */
  let failure: Error | undefined;
  before(async () => {
    for (const tenant of ['sund', 'fjord']) {
      await service.write(tenant, async (db) => {
        for (const userName of ['anna', 'bo'])
          await insertTestManager(db, { userName, passwordHash: plainPasswordHash('right') });
      });
    }
    const verify: typeof plainPasswords.verify = (given, stored) => {
      checked += 1;
      return failure === undefined ? plainPasswords.verify(given, stored) : Promise.reject(failure);
    };
    instance = await startInstance(service, {
      passwordHasher: { ...plainPasswords, verify },
      clock: () => clock.now,
    });
    onStop(instance.stop);
  });
  // By then nothing counts that an earlier test did.
  beforeEach(async () => {
    failure = undefined;
    checked = 0;
    clock.advance(2 * windowMs);
    for (const tenant of ['sund', 'fjord'])
      await service.write(tenant, (db) => db.deleteFrom('manager_addresses').execute());
  });

  const login = (userName: string, password: string, host = 'api.sund.localhost'): Promise<HttpReply> =>
    instance.call('POST', '/api/v1/session/login', { host, body: { userName, password } });
  const loginFrom = (remoteAddress: string, userName: string, password: string, host = 'api.sund.localhost') =>
    instance.app.inject({
      method: 'POST',
      url: '/api/v1/session/login',
      remoteAddress,
      headers: { host },
      payload: { userName, password },
    });
  const statusFrom = async (...attempt: Parameters<typeof loginFrom>): Promise<number> =>
    (await loginFrom(...attempt)).statusCode;
  const fail = async (times: number, userName: string): Promise<void> => {
    for (let count = 0; count < times; count += 1) assert.equal((await login(userName, 'wrong')).status, 401);
  };
  const attackers = Array.from({ length: 12 }, (_, at) => `198.51.100.${at}`);
  /** Uses up what is allowed to unknown addresses, from several of them; returns what the last one is answered. */
  const attack = async (userName: string) => {
    for (let count = 0; count < limitOfUnknown; count += 1)
      assert.equal(await statusFrom(attackers[count % 6] ?? '', userName, `guess${count}`), 401);
    return loginFrom(attackers.at(-1) ?? '', userName, 'right');
  };

  test('[auth.28] after too many failures of an account from an address, every login there is refused with Retry-After', async () => {
    await fail(limitOfAccount, 'anna');
    for (const password of ['wrong', 'right']) {
      const reply = await login('anna', password);
      assert.equal(reply.status, 429);
      assert.equal(reply.json.code, 'too-many-attempts');
      const seconds = Number(reply.headers['retry-after']);
      assert.ok(
        Number.isInteger(seconds) && seconds > windowMs / 1000 - 60 && seconds <= windowMs / 1000,
        `${seconds}`,
      );
    }
    assert.equal(checked, limitOfAccount, 'a refused attempt checks no password');
  });

  test('[auth.28] all spellings of a name, and both hosts of the tenant, count as one account', async () => {
    await fail(limitOfAccount - 1, 'anna');
    assert.equal((await login(' ＡNNA', 'wrong', 'beta.api.sund.localhost')).status, 401);
    assert.equal((await login('anna', 'right')).status, 429);
    assert.equal((await login('Anna ', 'right')).status, 429);
  });

  test("one account's failures do not affect other accounts, or the same name in another tenant", async () => {
    await fail(limitOfAccount, 'anna');
    assert.equal((await login('anna', 'right')).status, 429);
    assert.equal((await login('bo', 'right')).status, 200);
    assert.equal((await login('anna', 'right', 'api.fjord.localhost')).status, 200);
  });

  test('failures from one address leave the account open to every other address', async () => {
    for (let count = 0; count < limitOfAccount * 5; count += 1) await statusFrom('198.51.100.7', 'anna', 'x');
    assert.equal(await statusFrom('198.51.100.7', 'anna', 'right'), 429);
    assert.equal(await statusFrom('198.51.100.8', 'anna', 'right'), 200);
    assert.equal(checked, limitOfAccount + 1);
  });

  test('an unknown account is throttled as a known one is, from one address and from many', async () => {
    await fail(limitOfAccount, 'anna');
    await fail(limitOfAccount, 'nobody');
    const [known, unknown] = await Promise.all([login('anna', 'x'), login('nobody', 'x')]);
    assert.equal(unknown.status, 429);
    assert.equal(known.text.replace(known.json.traceId, ''), unknown.text.replace(unknown.json.traceId, ''));
    for (const account of ['bo', 'no one']) {
      const reply = await attack(account);
      assert.deepEqual([reply.statusCode, reply.headers['retry-after']], [429, String(refillSeconds)], account);
    }
  });

  test('[auth.28] concurrent attempts count like any others, from one address and from many', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => login('anna', 'wrong')));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    assert.deepEqual([count(401), count(429)], [limitOfAccount, 40 - limitOfAccount]);
    assert.equal(checked, limitOfAccount);
    const statuses = await Promise.all(
      Array.from({ length: 120 }, (_, at) => statusFrom(`198.51.100.${at % 60}`, 'bo', 'wrong')),
    );
    assert.equal(statuses.filter((status) => status === 401).length, limitOfUnknown);
    assert.equal(checked, limitOfAccount + limitOfUnknown);
  });

  test("a success forgets the account's failures from its address", async () => {
    for (let round = 0; round < 3; round += 1) {
      await fail(limitOfAccount - 1, 'anna');
      assert.equal((await login('anna', 'right')).status, 200);
    }
    await fail(limitOfAccount, 'anna');
    assert.equal((await login('anna', 'right')).status, 429);
  });

  test('any number of successes without failures is accepted', async () => {
    for (let count = 0; count < limitOfAccount * 2; count += 1)
      assert.equal((await login('anna', 'right')).status, 200);
    for (let count = 0; count < limitOfUnknown * 2; count += 1)
      assert.equal(await statusFrom(`198.51.100.${count}`, 'anna', 'right'), 200);
  });

  test('any number of correct logins at once succeed', async () => {
    const replies = await Promise.all(Array.from({ length: limitOfAccount * 3 }, () => login('anna', 'right')));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  });

  test('failures that the caller did not cause do not count against the account', async () => {
    for (const [error, status, code] of [
      [new Problem('login-busy'), 503, 'login-busy'],
      [new StorageError('unavailable'), 503, 'storage-unavailable'],
    ] as const) {
      failure = error;
      for (let count = 0; count <= limitOfUnknown; count += 1) {
        const reply = await login('anna', 'right');
        assert.equal(reply.status, status);
        assert.equal(reply.json.code, code);
        assert.ok(Number(reply.headers['retry-after']) >= 1);
      }
      failure = undefined;
      assert.equal((await login('anna', 'right')).status, 200);
    }
  });

  test('during an attack, the manager can log in from a known address', async () => {
    assert.equal((await login('anna', 'right')).status, 200);
    const refused = await attack('anna');
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, String(refillSeconds)]);
    await fail(limitOfAccount - 1, 'anna');
    assert.equal((await login('anna', 'right')).status, 200);
    assert.equal(checked, 1 + limitOfUnknown + limitOfAccount, 'a refused attempt checks no password');
    // The address is known only to Anna.
    await attack('bo');
    assert.equal((await login('bo', 'right')).status, 429);
  });

  test('during an attack, logins from unknown addresses are accepted at a limited rate', async () => {
    await attack('anna');
    for (let count = 0; count < 3; count += 1) {
      clock.advance(refillSeconds * 1000);
      assert.equal(await statusFrom(attackers[6 + count] ?? '', 'anna', 'wrong'), 401);
      assert.equal(await statusFrom(attackers[10] ?? '', 'anna', 'right'), 429);
    }
    clock.advance(refillSeconds * 1000);
    assert.equal(await statusFrom(attackers[10] ?? '', 'anna', 'right'), 200);
    assert.equal(checked, limitOfUnknown + 4);
  });

  test("[auth.28] too many failures from one address are refused for every account of the tenant, others' addresses are not", async () => {
    const attacker = '198.51.100.7';
    assert.equal(await statusFrom(attacker, 'bo', 'right'), 200);
    for (let count = 0; count < limitOfAddress; count += 1)
      assert.equal(await statusFrom(attacker, `guess${count}`, 'x'), 401);
    assert.equal(await statusFrom(attacker, 'anna', 'right'), 429);
    assert.equal(await statusFrom(attacker, 'another guess', 'x'), 429);
    assert.equal(await statusFrom('198.51.100.8', 'anna', 'right'), 200);
    assert.equal(await statusFrom(attacker, 'bo', 'right'), 200, 'who has logged in from there before');
    assert.equal(await statusFrom(attacker, 'anna', 'right', 'api.fjord.localhost'), 200, 'another tenant');
  });

  test('a throttled address cannot lock an account, nor a throttled account an address', async () => {
    const attacker = '2001:db8:1:2::1';
    for (let count = 0; count < limitOfAddress; count += 1) await statusFrom(attacker, `guess${count}`, 'x');
    // A network's own addresses are one: a new one of the same /64 does not help.
    for (let count = 0; count <= limitOfUnknown; count += 1)
      assert.equal(await statusFrom('2001:db8:1:2:ffff::9', 'anna', 'x'), 429);
    assert.equal(await statusFrom('2001:db8:1:3::1', 'anna', 'right'), 200);

    for (let count = 0; count < limitOfAccount + limitOfAddress; count += 1) await statusFrom('192.0.2.1', 'bo', 'x');
    assert.equal(await statusFrom('192.0.2.1', 'bo', 'right'), 429);
    assert.equal(await statusFrom('192.0.2.1', 'anna', 'right'), 200);
  });

  test('a success removes only its own attempt from the count of its address', async () => {
    const address = '203.0.113.5';
    for (let count = 0; count < limitOfAddress - 1; count += 1) await statusFrom(address, `guess${count}`, 'x');
    assert.equal(await statusFrom(address, 'anna', 'right'), 200);
    assert.equal(await statusFrom(address, 'one more guess', 'x'), 401);
    assert.equal(await statusFrom(address, 'bo', 'right'), 429);
  });

  test('[auth.28] after the time of Retry-After an account can log in again', async () => {
    await fail(limitOfAccount, 'anna');
    const refused = await login('anna', 'right');
    clock.advance(Number(refused.headers['retry-after']) * 1000);
    assert.equal((await login('anna', 'right')).status, 200);
  });
});
