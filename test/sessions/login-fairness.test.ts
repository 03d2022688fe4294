// Logins of one address do not keep those of others waiting, though checking a password takes long.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createPasswordHasher } from '../../src/features/credentials/password-hasher.ts';
import { insertTestManager } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const password = 'correct horse battery staple';

serviceSuite({ manager: false }, ({ service }) => {
  before(async () => {
    const passwordHash = await createPasswordHasher().hash(password);
    await service.write('sund', (db) => insertTestManager(db, { userName: 'anna', passwordHash }));
  });

  test('a login from another address passes a flood from one', async () => {
    const ended: string[] = [];
    const login = async (from: string, userName: string, given: string): Promise<number> => {
      const body = { userName, password: given };
      const { status } = await service.call('POST', '/api/v1/session/login', { from, body });
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
});
