// GetManager: Tabs, permissions, scopes, roles, and whether the caller may edit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertTestManager, type ManagerOptions } from '../support/factories.ts';
import { getManager, listPermissions, managersPath } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { permissions } from '../../src/permissions/matrix.ts';

serviceSuite({ now: testNow, manager: {} }, ({ service, manager, issueToken }) => {
  const insert = async (options: ManagerOptions = {}): Promise<number> =>
    (await service.write('sund', (db) => insertTestManager(db, options))).managerId;

  test('[managers.25] a manager is shown with Tabs, permissions, scopes and the existing roles', async () => {
    const managerId = await insert({
      tabs: ['Users2', 'Account2'],
      permissions: ['Unit.Write', 'Bank.Read', 'Unit.Read'],
      grants: [
        { bankId: 1002, locationId: 7 },
        { bankId: 1002, locationId: 3 },
        { bankId: 1010, locationId: 0 },
        { bankId: 1009, locationId: 0 },
      ],
    });
    const { status, json } = await getManager(service, manager, managerId);
    assert.equal(status, 200);
    assert.equal(json.manager.kid, `sund-M${managerId}`);
    assert.deepEqual(json.tabs, ['Account2', 'Users2']);
    assert.deepEqual(listPermissions(json.permissions), ['Bank.Read', 'Unit.Read', 'Unit.Write']);
    assert.deepEqual(Object.keys(json.permissions).length, 7);
    assert.deepEqual(json.scopes, [
      { kid: 'sund-B1009', kind: 'Bank' },
      { kid: 'sund-B1010', kind: 'Bank' },
      { kid: 'sund-B1002-L3', kind: 'Location' },
      { kid: 'sund-B1002-L7', kind: 'Location' },
    ]);
    assert.deepEqual([json.canEdit, json.permissionRevision], [true, '1']);
    const wide = await getManager(service, manager, await insert());
    assert.deepEqual(wide.json.scopes, [{ kid: 'sund', kind: 'Tenant' }]);
  });

  test('[managers.27] the roles are Reader, Operator, Administrator, Support and None, with their matrices', async () => {
    const { json } = await getManager(service, manager, manager.managerId);
    const roles = json.roles.map(({ name, permissions: matrix }) => [name, listPermissions(matrix).join(' ')]);
    assert.deepEqual(Object.fromEntries(roles), {
      Reader: 'Bank.Read Location.Read Unit.Read User.Read Installer.Read Managers.Read Service.Read',
      Operator:
        'Bank.Read Bank.Write Location.Read Location.Write Unit.Read Unit.Write User.Read User.Write User.Create',
      Administrator: permissions.join(' '),
      Support: 'Bank.Read Location.Read Unit.Read User.Read Installer.Read',
      None: '',
    });
  });

  test('canEdit is false without Managers Write, and of one’s own permissions while there is another tenant-wide manager', async () => {
    const other = await insert();
    const reader = { token: await issueToken({ permissions: ['Managers.Read'] }) };
    assert.equal((await getManager(service, reader, other)).json.canEdit, false);
    assert.equal((await getManager(service, manager, other)).json.canEdit, true);
    assert.equal((await getManager(service, manager, manager.managerId)).json.canEdit, false);
  });

  test('[managers.05] a manager can be read with only Managers1, Managers Read and a tenant-wide grant', async () => {
    const other = await insert();
    for (const [rights, status, reason] of [
      [{ tabs: ['Managers1'], permissions: ['Managers.Read'] }, 200, undefined],
      [{ tabs: ['Account2'] }, 403, 'missing-tab'],
      [{ permissions: permissions.filter((each) => each !== 'Managers.Read') }, 403, 'missing-managers-read'],
      [{ grants: [{ bankId: 1001, locationId: 0 }] }, 403, 'too-narrow'],
    ] as const) {
      const reply = await getManager(service, { token: await issueToken(rights) }, other);
      assert.deepEqual([reply.status, reply.json.reason], [status, reason]);
    }
    assert.equal((await getManager(service, { token: undefined }, other)).status, 401);
  });

  test('a missing or deleted manager is 404; an installer, a service and a manager of another tenant are 400', async () => {
    const gone = await insert();
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ deleted_at: 1 }).where('manager_id', '=', gone).execute(),
    );
    for (const managerId of [gone, 999_999]) {
      const { status, json } = await getManager(service, manager, managerId);
      assert.deepEqual([status, json.code], [404, 'not-found']);
    }
    for (const kid of ['sund-I2001', 'sund-B0-M3', 'fjord-M1001', 'sund-M0999', 'sund-M01001', 'sund', 'M1001'])
      for (const [method, rest, body] of [
        ['GET', '', undefined],
        ['PUT', '/permissions/Bank/Read', { granted: true, expectedRevision: '1' }],
        ['PUT', '/permission-role', { role: 'None', expectedRevision: '1' }],
      ] as const) {
        const { status, json } = await service.call(method, `${managersPath}/${kid}${rest}`, { ...manager, body });
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], `${method} ${kid}${rest}`);
      }
  });

  test('while storage is away a manager is 503', async () => {
    const ask = () => getManager(service, manager, manager.managerId);
    const { status, json } = await callWithoutStorage(service, ask, 'managers');
    assert.equal(status, 503);
    assert.match(json.code, /^storage-/);
  });
});
