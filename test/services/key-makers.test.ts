// What a key can do is bounded by the manager who made it and by the manager who granted it operations, and its access
// ends when one of them loses the right to do that.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ServiceIdentity } from '../../src/features/services/rules/service-catalogue.ts';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import { createToken, insertTestBank, insertTestResident } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { setPermission, setRole } from '../support/manager-calls.ts';
import { plainPasswords } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { generateApiKey, getService, readServiceRecord, servicesPath, setReadAccess } from '../support/services.ts';
import { testNow } from '../support/times.ts';

const residentsPath = '/api/v1/banks/sund-B1001/users';

serviceSuite({ now: testNow }, ({ service, manager, clock, onStop }) => {
  let instance: TestInstance;
  before(async () => {
    instance = await startInstance(service, { passwordHasher: plainPasswords });
    onStop(instance.stop);
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1001);
      await db
        .updateTable('residents')
        .set({ enabled: 0, deleted_at: testNow - 40 * 24 * 3600 * 1000 })
        .execute();
    });
  });
  const without = (...missing: Permission[]) => permissions.filter((each) => !missing.includes(each));
  /** The key of a service, made by one manager and granted operations by another one. */
  async function createKey(
    identity: ServiceIdentity,
    operations: readonly string[],
    makerToken: string,
    granter: string,
  ) {
    const made = await generateApiKey(instance, identity, { token: makerToken });
    assert.equal(made.status, 200, made.text);
    const granted = await setReadAccess(instance, identity, operations, { token: granter, expectedRevision: '2' });
    assert.equal(granted.status, 200, granted.text);
    return made.json.apiKey;
  }
  const ask = (path: string, key: string) => instance.call('GET', path, { token: key });
  const statusOf = async (path: string, key: string) => {
    const { status, json } = await ask(path, key);
    return status === 200 ? 200 : `${status} ${json.reason ?? json.code}`;
  };
  const accessOf = async (identity: ServiceIdentity) => {
    const { operations, grantedByKid } = (await getService(service, identity, manager)).json.readAccess;
    return { operations, grantedByKid };
  };
  const ended = { operations: [], grantedByKid: null };

  test('[services.35] a key reads nothing that its maker may not read, whoever grants it access later', async () => {
    const maker = await createToken(service, { permissions: without('User.Read') });
    const granted = ['GetBankUsers', 'GetServices'];
    const key = await createKey('Mailer', granted, maker.token, manager.token);
    assert.equal(await statusOf(servicesPath, key), 200);
    assert.equal(await statusOf(residentsPath, key), '403 missing-user-read');
    const other = await createToken(service, { tabs: tabs.filter((tab) => tab !== 'Users2') });
    const second = await createKey('Payments', granted, other.token, manager.token);
    assert.equal(await statusOf(residentsPath, second), '403 missing-tab');
    const own = await createKey('Gateway', granted, manager.token, manager.token);
    assert.equal(await statusOf(residentsPath, own), 200);
  });

  test('a key shows deleted residents for the shorter one of the retentions of its maker and its granter', async () => {
    const [long, short] = [
      await createToken(service, { retentionDays: 50 }),
      await createToken(service, { retentionDays: 30 }),
    ];
    const shownTo = async (identity: ServiceIdentity, maker: string, granter: string) => {
      const key = await createKey(identity, ['GetBankUsers'], maker, granter);
      return (await ask(`${residentsPath}?state=deleted`, key)).json.items.length;
    };
    assert.equal(await shownTo('Statistics', long.token, long.token), 1);
    assert.equal(await shownTo('Scheduler', long.token, short.token), 0);
    assert.equal(await shownTo('Settlements', short.token, long.token), 0);
  });

  test('[services.36] a service shows who made its key, and when', async () => {
    const withoutKey = (await getService(service, 'Assistant', manager)).json;
    assert.deepEqual([withoutKey.apiKeyMadeByKid, withoutKey.apiKeyMadeAtUtc], [null, null]);
    const maker = await createToken(service);
    clock.now += 1000;
    const { json } = await generateApiKey(instance, 'Assistant', { token: maker.token });
    const shown = [json.service.apiKeyMadeByKid, json.service.apiKeyMadeAtUtc];
    assert.deepEqual(shown, [`sund-M${maker.managerId}`, '2026-06-15T09:30:01.000Z']);
    const after = (await getService(service, 'Assistant', manager)).json;
    assert.deepEqual([after.apiKeyMadeByKid, after.apiKeyMadeAtUtc], shown);
  });

  test('the access of a key ends for good when its maker may no longer make keys', async () => {
    const maker = await createToken(service);
    const key = await createKey('Documents', ['GetServices'], maker.token, manager.token);
    const change = { permission: 'Service.Write', granted: false };
    assert.equal((await setPermission(service, maker.managerId, change, manager)).status, 200);
    assert.deepEqual([await statusOf(servicesPath, key), await accessOf('Documents')], ['401 unauthenticated', ended]);
    const again = { permission: 'Service.Write', granted: true, expectedRevision: '2' };
    assert.equal((await setPermission(service, maker.managerId, again, manager)).status, 200);
    assert.equal(await statusOf(servicesPath, key), '401 unauthenticated');
    const { audit } = await readServiceRecord(service, 'Documents');
    assert.deepEqual(audit.at(-1), {
      operation: 'SetManagerPermission',
      actor_id: manager.managerId,
      old_values: JSON.stringify({ operations: ['GetServices'], grantedByKid: `sund-M${manager.managerId}` }),
      new_values: JSON.stringify(ended),
    });
  });

  test('the access of a key ends for good when its granter may no longer grant it, by any of the rights', async () => {
    for (const [identity, permission] of [
      ['Backup', 'Service.Write'],
      ['Import', 'Managers.Write'],
    ] as const) {
      const granter = await createToken(service);
      const key = await createKey(identity, ['GetServices'], manager.token, granter.token);
      assert.equal(
        (await setPermission(service, granter.managerId, { permission, granted: false }, manager)).status,
        200,
      );
      assert.deepEqual([await statusOf(servicesPath, key), await accessOf(identity)], ['401 unauthenticated', ended]);
    }
    const granter = await createToken(service);
    const key = await createKey('Export', ['GetServices'], manager.token, granter.token);
    assert.equal((await setRole(service, granter.managerId, { role: 'Reader' }, manager)).status, 200);
    assert.deepEqual([await statusOf(servicesPath, key), await accessOf('Export')], ['401 unauthenticated', ended]);
  });

  test('a key keeps its access while its maker and its granter lose other rights', async () => {
    const [maker, granter] = [await createToken(service), await createToken(service)];
    const key = await createKey('Monitoring', ['GetServices'], maker.token, granter.token);
    // The maker needs no right to grant access.
    for (const [managerId, permission] of [
      [maker.managerId, 'Managers.Write'],
      [granter.managerId, 'Bank.Write'],
    ] as const)
      assert.equal((await setPermission(service, managerId, { permission, granted: false }, manager)).status, 200);
    assert.equal(await statusOf(servicesPath, key), 200);
    assert.deepEqual(await accessOf('Monitoring'), {
      operations: ['GetServices'],
      grantedByKid: `sund-M${granter.managerId}`,
    });
  });

  test('a key is refused while its maker or its granter lacks a right, whatever took it away', async () => {
    const [maker, granter] = [await createToken(service), await createToken(service)];
    const key = await createKey('Bookings', ['GetServices'], maker.token, granter.token);
    for (const [managerId, permission] of [
      [maker.managerId, 'Service.Write'],
      [granter.managerId, 'Service.Write'],
      [granter.managerId, 'Managers.Write'],
    ] as const) {
      const row = { manager_id: managerId, permission };
      await service.write('sund', (db) =>
        db
          .deleteFrom('manager_permissions')
          .where('manager_id', '=', managerId)
          .where('permission', '=', permission)
          .execute(),
      );
      assert.equal(await statusOf(servicesPath, key), '401 unauthenticated', permission);
      await service.write('sund', (db) => db.insertInto('manager_permissions').values(row).execute());
      assert.equal(await statusOf(servicesPath, key), 200);
    }
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ active: 0 }).where('manager_id', '=', maker.managerId).execute(),
    );
    assert.equal(await statusOf(servicesPath, key), '401 unauthenticated', 'an inactive maker');
  });
});
