// What ends a token: logout, a new password, and the deactivation or deletion of the manager.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createToken, insertTestManager } from '../support/factories.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { setActivity } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { changePassword, getCurrent } from '../profile/support/own-profile.ts';

const snapshotMs = 60_000;

serviceSuite({ manager: {} }, ({ service, manager, onStop }) => {
  let clock: ReturnType<typeof mockMonotonicClock>;
  before(() => {
    clock = mockMonotonicClock();
    onStop(clock.restore);
  });
  const statusOf = async (token: string): Promise<number> => (await getCurrent(service, { token })).status;
  /** The token has been used, so it is in the snapshot. */
  async function createUsedToken(): Promise<{ token: string; managerId: number }> {
    const created = await createToken(service);
    assert.equal(await statusOf(created.token), 200);
    return created;
  }
  const assertEnded = async (token: string): Promise<void> => {
    assert.equal(await statusOf(token), 401);
    assert.equal(await statusOf(manager.token), 200, 'another manager goes on');
  };

  test('[auth.33] logout ends the token', async () => {
    const { token } = await createUsedToken();
    assert.equal((await service.call('POST', '/api/v1/session/logout', { token })).status, 204);
    await assertEnded(token);
  });

  test('[auth.33] a new password ends the tokens of the other sessions', async () => {
    const [userName, password] = ['ends-tokens', 'violet teapots sing'];
    const passwordHash = await service.dependencies.passwordHasher.hash(password);
    await service.write('sund', (db) => insertTestManager(db, { userName, passwordHash }));
    const login = async (): Promise<string> => {
      const reply = await service.call('POST', '/api/v1/session/login', { body: { userName, password } });
      assert.equal(reply.status, 200, reply.text);
      return reply.json.accessToken;
    };
    const [token, other] = [await login(), await login()];
    assert.deepEqual([await statusOf(token), await statusOf(other)], [200, 200]);
    const change = { currentPassword: password, newPassword: 'amber kettles hum 42' };
    assert.equal((await changePassword(service, change, { token: other })).status, 204);
    await assertEnded(token);
  });

  test('[auth.33] deactivation of the manager ends the token', async () => {
    const { token, managerId } = await createUsedToken();
    assert.equal((await setActivity(service, managerId, false)).isChanged, true);
    await assertEnded(token);
  });

  test('[auth.33] deletion of the manager ends the token, within the sixty seconds of a snapshot', async () => {
    const { token, managerId } = await createUsedToken();
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ deleted_at: 1 }).where('manager_id', '=', managerId).execute(),
    );
    clock.advance(snapshotMs);
    await assertEnded(token);
  });
});
