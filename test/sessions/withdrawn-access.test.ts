// A change that ends a session or withdraws rights acts on every instance within sixty seconds, and at once on the
// instance that stores it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank, insertTestManager, createToken } from '../support/factories.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { mockMonotonicClock, startInstance, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { type TestService } from '../support/service.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { managerTopic } from '../../src/features/managers/rules/manager-topic.ts';

const snapshotMs = 60_000;
const account = '/api/v1/banks/sund-B1001/account';

type Change = (db: WriteDb, managerId: number) => Promise<unknown>;

const setOf =
  (change: object): Change =>
  (db, managerId) =>
    db.updateTable('managers').set(change).where('manager_id', '=', managerId).execute();
const rowsOf =
  (table: 'manager_grants' | 'manager_tabs' | 'manager_permissions' | 'sessions'): Change =>
  (db, managerId) =>
    db.deleteFrom(table).where('manager_id', '=', managerId).execute();

const endings: Record<string, Change> = {
  'a new credential stamp': setOf({ credential_stamp: 'turned' }),
  deactivation: setOf({ active: 0 }),
  deletion: setOf({ deleted_at: 1 }),
  'a revoked session': rowsOf('sessions'),
};

const withdrawals: Record<string, Change> = {
  'the Tab': rowsOf('manager_tabs'),
  'every permission': rowsOf('manager_permissions'),
  'one permission': (db, managerId) =>
    db
      .deleteFrom('manager_permissions')
      .where('manager_id', '=', managerId)
      .where('permission', '=', 'Unit.Read')
      .execute(),
  'every grant': rowsOf('manager_grants'),
  'the grant that covers the bank': (db, managerId) =>
    db.updateTable('manager_grants').set({ bank_id: 1002 }).where('manager_id', '=', managerId).execute(),
};

serviceSuite({ replicas: 2, manager: false }, ({ service: here, replicaFor, onStop }) => {
  const there = replicaFor(1);
  let clock: ReturnType<typeof mockMonotonicClock>;
  before(async () => {
    await here.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestBank(db, { bankId: 1002 });
    });
    clock = mockMonotonicClock();
    onStop(clock.restore);
  });

  /** Both instances' answers to both calls, as statuses. */
  const statuses = async (token: string): Promise<Record<string, number[]>> => {
    const ask = (path: string) => Promise.all([here, there].map(({ call }) => call('GET', path, { token })));
    const codes = (replies: HttpReply[]): number[] => replies.map(({ status }) => status);
    return { me: codes(await ask('/api/v1/session/me')), account: codes(await ask(account)) };
  };

  for (const [name, change] of Object.entries(endings)) {
    test(`[auth.06, auth.08] a session ends everywhere within sixty seconds of ${name}`, async () => {
      const { token, managerId } = await createToken(here);
      assert.deepEqual(await statuses(token), { me: [200, 200], account: [200, 200] });
      await here.write('sund', (db) => change(db, managerId));
      clock.advance(snapshotMs);
      assert.deepEqual(await statuses(token), { me: [401, 401], account: [401, 401] });
    });
  }

  for (const [name, change] of Object.entries(withdrawals)) {
    test(`[auth.07, auth.08] a manager who loses ${name} gets 403 everywhere within sixty seconds`, async () => {
      const { token, managerId } = await createToken(here, { grants: [{ bankId: 1001, locationId: 0 }] });
      assert.deepEqual(await statuses(token), { me: [200, 200], account: [200, 200] });
      await here.write('sund', (db) => change(db, managerId));
      clock.advance(snapshotMs);
      assert.deepEqual(await statuses(token), { me: [200, 200], account: [403, 403] });
    });
  }

  for (const [name, change] of Object.entries({ ...endings, ...withdrawals })) {
    test(`${name} acts at once on the instance that stores it`, async () => {
      const { token, managerId } = await createToken(here, { grants: [{ bankId: 1001, locationId: 0 }] });
      assert.deepEqual((await statuses(token)).account, [200, 200]);
      await here.write('sund', async (db) => {
        db.changedTopics.add(managerTopic(managerId));
        await change(db, managerId);
      });
      const refused = name in endings ? 401 : 403;
      assert.deepEqual((await statuses(token)).account, [refused, 200]);
    });
  }

  test(`a right that is granted acts at once on the instance that stores it`, async () => {
    const { token, managerId } = await createToken(here, { grants: [{ bankId: 1002, locationId: 0 }] });
    assert.deepEqual((await statuses(token)).account, [403, 403]);
    await here.write('sund', async (db) => {
      db.changedTopics.add(managerTopic(managerId));
      await db.insertInto('manager_grants').values({ manager_id: managerId, bank_id: 1001, location_id: 0 }).execute();
    });
    assert.deepEqual((await statuses(token)).account, [200, 403]);
  });

  test(`the insertion of a manager publishes its topic`, async () => {
    const committed: string[] = [];
    here.dependencies.databases.onCommit((_tenant, topics) => committed.push(...topics));
    const { managerId } = await here.write('sund', (db) => insertTestManager(db));
    assert.ok(committed.includes(managerTopic(managerId)));
  });

  test("[auth.30] logout answers 204 and ends that token at once; the manager's other tokens stay valid", async () => {
    const quick: TestInstance = await startInstance(here, { passwordHasher: plainPasswords });
    try {
      await here.write('sund', (db) =>
        insertTestManager(db, { userName: 'twice', passwordHash: plainPasswordHash('right') }),
      );
      const login = async (): Promise<string> => {
        const reply = await quick.call('POST', '/api/v1/session/login', {
          body: { userName: 'twice', password: 'right' },
        });
        return reply.json.accessToken;
      };
      const [first, second] = [await login(), await login()];
      const meStatus = async (token: string, { call }: Pick<TestService, 'call'>) =>
        (await call('GET', '/api/v1/session/me', { token })).status;
      const seen = async () => [await meStatus(first, quick), await meStatus(second, quick)];
      assert.deepEqual(await seen(), [200, 200]);
      assert.equal(await meStatus(first, there), 200);

      const reply = await quick.call('POST', '/api/v1/session/logout', { token: first });
      assert.equal(reply.status, 204);
      assert.equal(reply.text, '');
      assert.deepEqual(await seen(), [401, 200]);
      assert.equal((await quick.call('POST', '/api/v1/session/logout', { token: first })).status, 401);
      clock.advance(snapshotMs);
      assert.deepEqual([await meStatus(first, there), await meStatus(second, there)], [401, 200]);
    } finally {
      await quick.stop();
    }
  });
});
