// Logins of one address do not keep those of others waiting, and those from known addresses not those from unknown ones,
// though checking a password takes long.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createPasswordHasher } from '../../src/features/credentials/password-hasher.ts';
import { insertTestManager } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const password = 'correct horse battery staple';

serviceSuite({ manager: false }, ({ service }) => {
  before(async () => {
    const passwordHash = await createPasswordHasher().hash(password);
    await service.write('sund', async (db) => {
      for (const userName of ['anna', 'berit', 'newcomer']) await insertTestManager(db, { userName, passwordHash });
    });
  });

  const logIn = async (from: string, userName: string, given = password): Promise<number> => {
    const body = { userName, password: given };
    const { status } = await service.call('POST', '/api/v1/session/login', { from, body });
    return status;
  };

  test('a login from another address passes a flood from one', async () => {
    const ended: string[] = [];
    const login = async (from: string, userName: string, given: string): Promise<number> => {
      const status = await logIn(from, userName, given);
      ended.push(from);
      return status;
    };
    // More than may wait.
    const flood = Array.from({ length: 130 }, (_, at) => login('127.0.0.2', `guess${at}`, 'wrong'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const early = ended.length;
    assert.equal(await login('127.0.0.3', 'anna', password), 200);
    const during = ended.slice(early, -1);
    assert.ok(during.length < 60, `${during.length} others came first`);
    const statuses = await Promise.all(flood);
    assert.deepEqual(new Set(statuses), new Set([401, 503]));
  });

  test('a first login comes to its turn, however many from known addresses never stop', async () => {
    const addresses = Array.from({ length: 8 }, (_, at) => `127.0.1.${at}`);
    for (const from of addresses) assert.equal(await logIn(from, 'berit'), 200);
    const ended = new AbortController();
    const known = addresses.map(async (from) => {
      while (!ended.signal.aborted) assert.equal(await logIn(from, 'berit'), 200);
    });
    const status = await logIn('127.0.0.4', 'newcomer');
    ended.abort();
    await Promise.all(known);
    assert.equal(status, 200);
  });
});
