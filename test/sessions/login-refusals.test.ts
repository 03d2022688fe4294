// A failed login: response and cost are the same for every reason.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestManager } from '../support/factories.ts';
import { createHashCounter, type HashCounter } from '../support/password-hashing.ts';
import { startInstance } from '../support/instances.ts';
import type { TestService } from '../support/service.ts';
import { createPasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { serviceSuite } from '../support/service-suite.ts';

const password = 'correct horse battery staple';
const demoPassword = 'demo-Password-1';

serviceSuite({ tenants: ['sund', 'fjord'], manager: false }, ({ service, onStop }) => {
  let hashings: HashCounter;
  before(async () => {
    hashings = createHashCounter();
    onStop(hashings.stop);
    const passwords = createPasswordHasher();
    const [passwordHash, demoHash] = await Promise.all([passwords.hash(password), passwords.hash(demoPassword)]);
    await service.write('sund', async (db) => {
      await insertTestManager(db, { userName: 'known', passwordHash });
      await insertTestManager(db, { userName: 'inactive', passwordHash, active: false });
      await insertTestManager(db, { userName: 'demo', passwordHash: demoHash });
      const { managerId } = await insertTestManager(db, { userName: 'deleted', passwordHash });
      await db.updateTable('managers').set({ deleted_at: 1 }).where('manager_id', '=', managerId).execute();
    });
    await service.write('fjord', (db) => insertTestManager(db, { userName: 'norwegian', passwordHash }));
  });

  const login = (
    userName: string,
    given: string,
    { call } = service as Pick<TestService, 'call'>,
  ): Promise<HttpReply> => call('POST', '/api/v1/session/login', { body: { userName, password: given } });

  const wrong: Record<string, readonly [userName: string, password: string]> = {
    'a wrong password': ['known', 'wrong'],
    'an unknown user': ['nobody', password],
    'a deactivated manager': ['inactive', password],
    'a deactivated manager and a wrong password': ['inactive', 'wrong'],
    'a deleted manager': ['deleted', password],
    'a manager of another tenant': ['norwegian', password],
    'the demo password without demo data': ['demo', demoPassword],
    'somebody else’s password': ['demo', password],
  };

  test('[auth.27] wrong credentials of every kind get the same answer, byte for byte', async () => {
    const answers = new Map<string, string>();
    for (const [name, credentials] of Object.entries(wrong)) {
      const reply = await login(...credentials);
      assert.equal(reply.status, 401, name);
      assert.equal(reply.json.code, 'invalid-credentials', name);
      answers.set(name, withoutIds(reply));
    }
    assert.deepEqual(new Set(answers.values()).size, 1, JSON.stringify(Object.fromEntries(answers), null, 1));
    assert.equal((await login('known', password)).status, 200);
  });

  test('[auth.27] wrong credentials of every kind cost one hash, like right ones', async () => {
    assert.equal(await hashings.countDuring(() => login('known', password)), 1);
    for (const [name, credentials] of Object.entries(wrong)) {
      assert.equal(await hashings.countDuring(() => login(...credentials)), 1, name);
    }
  });

  test('[auth.29] a deactivated manager cannot log in, and can again when active', async () => {
    const setActive = (active: number) =>
      service.write('sund', (db) =>
        db.updateTable('managers').set({ active }).where('user_name', '=', 'inactive').execute(),
      );
    assert.equal((await login('inactive', password)).status, 401);
    await setActive(1);
    assert.equal((await login('inactive', password)).status, 200);
    await setActive(0);
    assert.equal((await login('inactive', password)).status, 401);
  });

  test('a manager deactivated while the password is being checked gets no session', async () => {
    const passwords = createPasswordHasher();
    const meddling = await startInstance(service, {
      passwordHasher: {
        ...passwords,
        verify: async (given, stored) => {
          const right = await passwords.verify(given, stored);
          await service.write('sund', (db) =>
            db.updateTable('managers').set({ credential_stamp: 'turned' }).where('user_name', '=', 'known').execute(),
          );
          return right;
        },
      },
    });
    try {
      const reply = await login('known', password, meddling);
      assert.equal(reply.status, 401);
      assert.equal(reply.json.code, 'invalid-credentials');
    } finally {
      await meddling.stop();
    }
    assert.equal((await login('known', password)).status, 200, 'with the new stamp all is well');
  });

  test('the demo password works only with --demo', async () => {
    const demo = await startInstance(service, { demo: true });
    try {
      assert.equal((await login('demo', demoPassword, demo)).status, 200);
      assert.equal((await login('known', demoPassword, demo)).status, 401);
    } finally {
      await demo.stop();
    }
    assert.equal((await login('demo', demoPassword)).status, 401);
  });
});

/** An answer's status, headers and body without what differs from request to request. */
function withoutIds({ status, headers, text, json }: HttpReply): string {
  const { date: _date, traceparent: _traceparent, 'x-request-id': _id, ...rest } = headers;
  assert.match(json.traceId, /^[0-9a-f]{32}$/);
  return JSON.stringify([status, rest, text.replace(json.traceId, '')]);
}
