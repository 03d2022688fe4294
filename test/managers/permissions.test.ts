// SetManagerPermission and SetManagerPermissionRole: what they change, and what they refuse.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken, insertTestManager, type ManagerOptions } from '../support/factories.ts';
import { getManager, listPermissions, managerPath, setPermission, setRole } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { permissions, type Permission } from '../../src/permissions/matrix.ts';
import { permissionsOfRole } from '../../src/permissions/roles.ts';

const tables = ['managers', 'manager_permissions', 'manager_tabs', 'manager_grants'] as const;

serviceSuite({ now: testNow, manager: {} }, ({ service, manager, issueToken }) => {
  const insert = async (options: ManagerOptions = {}): Promise<number> =>
    (await service.write('sund', (db) => insertTestManager(db, options))).managerId;
  const readRows = () => service.read('sund', (db) => readTableRows(db, tables));
  const permissionsOf = async (managerId: number): Promise<string[]> =>
    listPermissions((await getManager(service, manager, managerId)).json.permissions);

  test('[managers.07] one permission is granted or withdrawn, and every other stays as it is', async () => {
    const granted: Permission[] = ['Bank.Read', 'Unit.Write', 'Service.Create'];
    for (const permission of permissions) {
      const managerId = await insert({ permissions: granted });
      const isHeld = granted.includes(permission);
      const { status, json } = await setPermission(service, managerId, { permission, granted: !isHeld }, manager);
      assert.equal(status, 200);
      const expected = permissions.filter((each) => granted.includes(each) !== (each === permission));
      assert.deepEqual(listPermissions(json.permissions), expected);
      assert.equal(json.permissionRevision, '2');
      assert.deepEqual(await permissionsOf(managerId), expected);
    }
  });

  test('[managers.26] a write that repeats the stored permission changes nothing, and the answer is the whole manager', async () => {
    const managerId = await insert({ permissions: ['Bank.Read'] });
    const rows = await readRows();
    const { status, json } = await setPermission(
      service,
      managerId,
      {
        permission: 'Bank.Read',
        granted: true,
      },
      manager,
    );
    assert.deepEqual([status, json.permissionRevision], [200, '1']);
    assert.deepEqual(json, (await getManager(service, manager, managerId)).json);
    assert.deepEqual(await readRows(), rows);
  });

  test('[managers.08] a role replaces the whole matrix at once', async () => {
    const managerId = await insert({ permissions: ['Service.Create', 'Bank.Read', 'Managers.Write'] });
    let expectedRevision = '1';
    for (const role of ['Operator', 'Reader', 'Support', 'Administrator', 'None']) {
      const { status, json } = await setRole(service, managerId, { role, expectedRevision }, manager);
      assert.equal(status, 200);
      assert.equal(json.manager.role, role);
      const matrix = json.roles.find(({ name }) => name === role)?.permissions ?? assert.fail(role);
      assert.deepEqual(json.permissions, matrix);
      assert.deepEqual(await permissionsOf(managerId), listPermissions(matrix));
      expectedRevision = json.permissionRevision;
    }
    assert.equal(expectedRevision, '6');
  });

  test('[managers.08] a role is not applied at all if the editor lacks one of its permissions', async () => {
    const held = permissions.filter((each) => each !== 'Service.Create');
    const editor = { token: await issueToken({ permissions: held }) };
    const managerId = await insert({ permissions: ['Bank.Read'] });
    const rows = await readRows();
    const { status, json } = await setRole(service, managerId, { role: 'Administrator' }, editor);
    assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'not-held']);
    assert.deepEqual(await readRows(), rows);
  });

  test('[managers.29] nobody can grant or withdraw a permission of another manager without holding it', async () => {
    const held: Permission[] = ['Managers.Read', 'Managers.Write', 'Unit.Read'];
    const editor = { token: await issueToken({ permissions: held }) };
    for (const permission of permissions) {
      for (const granted of [true, false]) {
        const managerId = await insert({ permissions: granted ? [] : [permission] });
        const kept = await setPermission(service, managerId, { permission, granted: !granted }, editor);
        assert.deepEqual([kept.status, kept.json.permissionRevision], [200, '1'], 'what is so already is no change');
        const { status, json } = await setPermission(service, managerId, { permission, granted }, editor);
        if (held.includes(permission)) assert.equal(status, 200);
        else {
          assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'not-held']);
          assert.match(String(json.detail), new RegExp(`permission ${permission} `));
          assert.deepEqual(await permissionsOf(managerId), granted ? [] : [permission]);
        }
      }
    }
  });

  test('[managers.29] a role that would withdraw a permission is refused to an editor who does not hold it', async () => {
    const reader = permissionsOfRole('Reader');
    const editor = { token: await issueToken({ permissions: [...reader, 'Managers.Write'] }) };
    const owner = await insert();
    const rows = await readRows();
    for (const role of ['None', 'Reader']) {
      const { status, json } = await setRole(service, owner, { role }, editor);
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'not-held'], role);
    }
    assert.deepEqual(await readRows(), rows);
    const other = await insert({ permissions: [...reader] });
    assert.equal((await setRole(service, other, { role: 'None' }, editor)).status, 200);
  });

  test('[managers.06] both writes need Managers1, Managers Read and Write, and a tenant-wide grant', async () => {
    const enough = { tabs: ['Managers1'], permissions: ['Managers.Read', 'Managers.Write'] } as const;
    const managerId = await insert({ permissions: enough.permissions });
    for (const [rights, reason] of [
      [{ ...enough, tabs: ['Account2'] }, 'missing-tab'],
      [{ ...enough, permissions: ['Managers.Write'] }, 'missing-managers-read'],
      [{ ...enough, permissions: ['Managers.Read'] }, 'missing-managers-write'],
      [{ ...enough, grants: [{ bankId: 1001, locationId: 0 }] }, 'too-narrow'],
    ] as const) {
      const caller = { token: await issueToken(rights) };
      const rows = await readRows();
      for (const { status, json } of [
        await setPermission(service, managerId, { permission: 'Managers.Read', granted: false }, caller),
        await setRole(service, managerId, { role: 'None' }, caller),
      ])
        assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', reason]);
      assert.deepEqual(await readRows(), rows);
    }
    const caller = { token: await issueToken(enough) };
    const set = await setPermission(service, managerId, { permission: 'Managers.Read', granted: false }, caller);
    assert.equal(set.status, 200);
    assert.equal((await setRole(service, managerId, { role: 'None', expectedRevision: '2' }, caller)).status, 200);
    assert.equal((await setRole(service, managerId, { role: 'None' }, { token: undefined })).status, 401);
  });

  test('[managers.28] a stale revision is 409 manager-conflict, and nothing changes', async () => {
    const managerId = await insert();
    await setPermission(service, managerId, { permission: 'Bank.Read', granted: false }, manager);
    const rows = await readRows();
    for (const expectedRevision of ['1', '3', '02', '', 'x'])
      for (const { status, json } of [
        await setPermission(service, managerId, { permission: 'Unit.Read', granted: false, expectedRevision }, manager),
        await setPermission(service, managerId, { permission: 'Bank.Read', granted: false, expectedRevision }, manager),
        await setRole(service, managerId, { role: 'None', expectedRevision }, manager),
      ])
        assert.deepEqual([status, json.code], [409, 'manager-conflict'], expectedRevision);
    assert.deepEqual(await readRows(), rows);
  });

  test('[managers.26, managers.27] an unknown area, flag or role, and an invalid body, are 400', async () => {
    const managerId = await insert();
    const rows = await readRows();
    const path = managerPath(managerId);
    const good = { granted: false, expectedRevision: '1' };
    for (const [rest, body] of [
      ['/permissions/Banks/Read', good],
      ['/permissions/bank/Read', good],
      ['/permissions/Bank/read', good],
      ['/permissions/Bank/Delete', good],
      ['/permissions/Bank/Read', { granted: false }],
      ['/permissions/Bank/Read', { expectedRevision: '1' }],
      ['/permissions/Bank/Read', { ...good, granted: 'false' }],
      ['/permissions/Bank/Read', { ...good, expectedRevision: 1 }],
      ['/permissions/Bank/Read', { ...good, more: 1 }],
      ['/permission-role', { role: 'Custom', expectedRevision: '1' }],
      ['/permission-role', { role: 'reader', expectedRevision: '1' }],
      ['/permission-role', { role: 'Reader' }],
    ] as const) {
      const { status, json } = await service.call('PUT', `${path}${rest}`, { ...manager, body });
      assert.deepEqual([status, json.code], [400, 'invalid-request'], `${rest} ${JSON.stringify(body)}`);
    }
    for (const { status, json } of [
      await setPermission(service, 999_999, { permission: 'Bank.Read', granted: true }, manager),
      await setRole(service, 999_999, { role: 'None' }, manager),
    ])
      assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.deepEqual(await readRows(), rows);
  });

  test('[managers.09, managers.10] of several active tenant-wide managers none can edit their own permissions', async () => {
    const { token, managerId } = await createToken(service);
    const rows = await readRows();
    for (const { status, json } of [
      await setPermission(service, managerId, { permission: 'Service.Create', granted: false }, { token }),
      await setPermission(service, managerId, { permission: 'Service.Create', granted: true }, { token }),
      await setRole(service, managerId, { role: 'Reader', expectedRevision: 'stale' }, { token }),
    ])
      assert.deepEqual([status, json.code], [403, 'own-permissions']);
    assert.deepEqual(await readRows(), rows);
  });

  test('a write with an Idempotency-Key is done once, and its answer is sent again', async () => {
    const managerId = await insert();
    const change = { permission: 'Bank.Read', granted: false };
    const keyed = { ...manager, headers: { 'idempotency-key': 'once' } };
    const first = await setPermission(service, managerId, change, keyed);
    const again = await setPermission(service, managerId, change, keyed);
    assert.deepEqual([first.status, again.status, again.json], [200, 200, first.json]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });

  test('while storage is away both writes are 503, and nothing changes', async () => {
    const managerId = await insert();
    const rows = await readRows();
    for (const ask of [
      () => setPermission(service, managerId, { permission: 'Bank.Read', granted: false }, manager),
      () => setRole(service, managerId, { role: 'None' }, manager),
    ]) {
      const { status, json } = await callWithoutStorage(service, ask, 'managers');
      assert.equal(status, 503);
      assert.match(json.code, /^storage-/);
    }
    assert.deepEqual(await readRows(), rows);
  });
});
