// The sole active tenant-wide manager, who can edit their own permissions, and who always remains.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createToken, insertTestManager, type ManagerOptions } from '../support/factories.ts';
import { getManager, listPermissions, setPermission, setRole } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';
import { permissions } from '../../src/permissions/matrix.ts';

serviceSuite({ now: testNow, manager: false }, ({ service }) => {
  let sole: { token: string; managerId: number };
  beforeEach(async () => {
    await service.write('sund', (db) => db.updateTable('managers').set({ active: 0 }).execute());
    sole = await createToken(service);
  });
  const insert = async (options: ManagerOptions): Promise<number> =>
    (await service.write('sund', (db) => insertTestManager(db, options))).managerId;
  const withdraw = (permission: string, expectedRevision = '1') =>
    setPermission(service, sole.managerId, { permission, granted: false, expectedRevision }, sole);

  test('[managers.09] the sole active tenant-wide manager edits their own permissions', async () => {
    assert.equal((await getManager(service, sole, sole.managerId)).json.canEdit, true);
    const { status, json } = await withdraw('Service.Create');
    assert.equal(status, 200);
    assert.deepEqual(
      listPermissions(json.permissions),
      permissions.filter((each) => each !== 'Service.Create'),
    );
    assert.equal((await withdraw('Bank.Create', '2')).status, 200);
  });

  test('[managers.09] inactive, deleted and bank-wide managers leave a manager the sole one; another tenant-wide one does not', async () => {
    await insert({ active: false });
    await insert({ grants: [{ bankId: 1001, locationId: 0 }] });
    const gone = await insert({});
    assert.equal((await withdraw('Service.Create')).status, 403);
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ deleted_at: 1 }).where('manager_id', '=', gone).execute(),
    );
    assert.equal((await withdraw('Service.Create')).status, 200);
    // Even if that manager has few rights.
    await insert({ tabs: [], permissions: [] });
    const { status, json } = await withdraw('Service.Write', '2');
    assert.deepEqual([status, json.code], [403, 'own-permissions']);
    assert.equal((await getManager(service, sole, sole.managerId)).json.canEdit, false);
  });

  test('[managers.29] the sole manager gives back to themselves what they withdrew, one by one or as a role', async () => {
    let revision = 1;
    for (const permission of permissions.filter((each) => !['Managers.Read', 'Managers.Write'].includes(each))) {
      assert.equal((await withdraw(permission, String(revision))).status, 200, permission);
      const change = { permission, granted: true, expectedRevision: String(revision + 1) };
      const { status, json } = await setPermission(service, sole.managerId, change, sole);
      assert.deepEqual([status, listPermissions(json.permissions)], [200, [...permissions]], permission);
      revision += 2;
    }
    for (const permission of ['Bank.Read', 'Unit.Create']) await withdraw(permission, String(revision++));
    const again = { role: 'Administrator', expectedRevision: String(revision) };
    const { status, json } = await setRole(service, sole.managerId, again, sole);
    assert.deepEqual([status, listPermissions(json.permissions)], [200, [...permissions]]);
  });

  test('[managers.29] even the sole manager changes of others only what they hold', async () => {
    await withdraw('Unit.Create');
    for (const granted of [true, false]) {
      const other = await insert({ active: false, permissions: granted ? [] : ['Unit.Create'] });
      const { status, json } = await setPermission(service, other, { permission: 'Unit.Create', granted }, sole);
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'not-held']);
    }
  });

  test('[managers.30] the last manager who can administer managers cannot remove that right: 422 last-administrator', async () => {
    const rows = await service.read('sund', (db) => readTableRows(db, ['managers', 'manager_permissions']));
    for (const { status, json } of [
      await withdraw('Managers.Read'),
      await withdraw('Managers.Write'),
      await setRole(service, sole.managerId, { role: 'None' }, sole),
      await setRole(service, sole.managerId, { role: 'Reader' }, sole),
      await setRole(service, sole.managerId, { role: 'Operator' }, sole),
    ])
      assert.deepEqual([status, json.code], [422, 'last-administrator']);
    assert.deepEqual(await service.read('sund', (db) => readTableRows(db, ['managers', 'manager_permissions'])), rows);
    assert.equal((await withdraw('Managers.Create')).status, 200, 'that is not needed for it');
  });
});
