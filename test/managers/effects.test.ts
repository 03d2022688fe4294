// What a change of rights does to sessions: it counts at once on its own instance, everywhere within sixty seconds, and
// in every write.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createToken, insertTestBank } from '../support/factories.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { setPermission, setRole, setActivity } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';

const account = '/api/v1/banks/sund-B1001/account';
const snapshotMs = 60_000;

serviceSuite({ replicas: 2, manager: {} }, ({ service: here, replicaFor, manager, onStop }) => {
  const there = replicaFor(1);
  let clock: ReturnType<typeof mockMonotonicClock>;
  before(async () => {
    await here.write('sund', (db) => insertTestBank(db));
    clock = mockMonotonicClock();
    onStop(clock.restore);
  });
  const statuses = async (token: string): Promise<number[]> =>
    Promise.all([here, there].map(async ({ call }) => (await call('GET', account, { token })).status));

  test('[auth.09, managers.07] a withdrawn permission stops counting at once on its own instance, and within 60 seconds on others', async () => {
    const { token, managerId } = await createToken(here);
    assert.deepEqual(await statuses(token), [200, 200]);
    const change = { permission: 'Unit.Read', granted: false };
    assert.equal((await setPermission(here, managerId, change, manager)).status, 200);
    assert.deepEqual(await statuses(token), [403, 200]);
    clock.advance(snapshotMs);
    assert.deepEqual(await statuses(token), [403, 403]);
  });

  test('[auth.09, managers.08] an applied role counts at once on its own instance, and within 60 seconds on others', async () => {
    const { token, managerId } = await createToken(here, { permissions: [] });
    assert.deepEqual(await statuses(token), [403, 403]);
    assert.equal((await setRole(here, managerId, { role: 'Reader' }, manager)).status, 200);
    assert.deepEqual(await statuses(token), [200, 403]);
    clock.advance(snapshotMs);
    assert.deepEqual(await statuses(token), [200, 200]);
  });

  test('[auth.09] a write on another instance is refused at once, whatever its snapshot says', async () => {
    const { token, managerId } = await createToken(here);
    const other = await createToken(here);
    const change = { permission: 'Bank.Create', granted: false };
    const noChange = { permission: 'Bank.Create', granted: true };
    assert.equal((await setPermission(there, other.managerId, noChange, { token })).status, 200);
    const withdrawn = { permission: 'Managers.Write', granted: false };
    assert.equal((await setPermission(here, managerId, withdrawn, manager)).status, 200);
    const { status, json } = await setPermission(there, other.managerId, change, { token });
    assert.deepEqual([status, json.reason], [403, 'missing-managers-write']);
  });

  test('a permission that the editor has lost since the last snapshot can neither be granted nor withdrawn', async () => {
    const { token, managerId } = await createToken(here);
    const managers = [await createToken(here, { permissions: [] }), await createToken(here)];
    assert.deepEqual(await statuses(token), [200, 200]);
    const withdrawn = { permission: 'Bank.Create', granted: false };
    assert.equal((await setPermission(here, managerId, withdrawn, manager)).status, 200);
    for (const [at, other] of managers.entries()) {
      const change = { permission: 'Bank.Create', granted: at === 0 };
      const { status, json } = await setPermission(there, other.managerId, change, { token });
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'not-held']);
    }
  });

  test('[auth.06] a deactivated manager has no session any more, at once on this instance, and a new activation restores none', async () => {
    const { token, managerId } = await createToken(here);
    assert.deepEqual(await statuses(token), [200, 200]);
    assert.equal((await setActivity(here, managerId, false)).isChanged, true);
    assert.deepEqual(await statuses(token), [401, 200]);
    assert.equal((await setActivity(here, managerId, true)).isChanged, true);
    clock.advance(snapshotMs);
    assert.deepEqual(await statuses(token), [401, 401]);
  });
});
