// What a new key can read: never more than the manager who created it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ServiceIdentity } from '../../src/features/services/rules/service-catalogue.ts';
import { permissions, type Permission } from '../../src/permissions/matrix.ts';
import { createToken } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { plainPasswords } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { generateApiKey, getService, readServiceRecord, servicesPath, setReadAccess } from '../support/services.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager, clock, onStop }) => {
  let instance: TestInstance;
  before(async () => {
    instance = await startInstance(service, { passwordHasher: plainPasswords });
    onStop(instance.stop);
  });
  const without = (...missing: Permission[]) => ({
    permissions: permissions.filter((each) => !missing.includes(each)),
  });
  const granted = ['GetInstallers', 'GetServices'];
  const none = { operations: [], grantedByKid: null, grantedAtUtc: null, lastUsedUtc: null };
  const grant = (identity: ServiceIdentity, expectedRevision: string) =>
    setReadAccess(instance, identity, granted, { ...manager, expectedRevision });
  const makeKey = (identity: ServiceIdentity, token: string, expectedRevision: string) =>
    generateApiKey(instance, identity, { token, expectedRevision });
  const statusOf = async (path: string, token: string) => (await instance.call('GET', path, { token })).status;
  const lastOf = async (identity: ServiceIdentity) => {
    const { history, audit } = await readServiceRecord(service, identity);
    const { field, old_value, new_value } = history.at(-1) ?? assert.fail();
    const { operation, old_values, new_values } = audit.at(-1) ?? assert.fail();
    return { history: [field, old_value, new_value], audit: [operation, old_values, new_values] };
  };
  const recorded = (kid: string | null, operations: string[] = granted) =>
    JSON.stringify({ operations, grantedByKid: kid });

  test('a new key ends read access granted by a manager with more rights, and says so', async () => {
    const { token } = await createToken(service, without('Managers.Write'));
    await makeKey('Mailer', manager.token, '1');
    assert.equal((await grant('Mailer', '2')).status, 200);
    const { status, json } = await makeKey('Mailer', token, '3');
    assert.equal(status, 200);
    assert.deepEqual([json.service.readAccess, json.service.profileRevision], [none, '4']);
    assert.deepEqual((await getService(service, 'Mailer', manager)).json.readAccess, none);
    assert.equal(await statusOf(servicesPath, json.apiKey), 401);
    const ended = JSON.stringify({ ApiKeyHash: 'changed', operations: [], grantedByKid: null });
    assert.deepEqual(await lastOf('Mailer'), {
      history: ['ApiKeyHash, ReadAccess', '2', '0'],
      audit: ['GenerateServiceApiKey', recorded(`sund-M${manager.managerId}`), ended],
    });
    assert.equal((await grant('Mailer', '4')).status, 200);
    assert.equal(await statusOf(servicesPath, json.apiKey), 200, 'granted anew');
  });

  test('a first key ends read access granted by a manager with more rights as well', async () => {
    const { token } = await createToken(service, without('Managers.Write'));
    assert.equal((await grant('Payments', '1')).status, 200);
    const { json } = await makeKey('Payments', token, '2');
    assert.deepEqual(json.service.readAccess, none);
    assert.equal(await statusOf(servicesPath, json.apiKey), 401);
  });

  test('a manager who can grant the access becomes its granter by creating a key, with their own rights', async () => {
    const { token, managerId } = await createToken(service, without('Installer.Read'));
    assert.equal((await grant('Gateway', '1')).status, 200);
    clock.now += 1000;
    const { json } = await makeKey('Gateway', token, '2');
    const takenOver = { ...none, operations: granted, grantedByKid: `sund-M${managerId}` };
    assert.deepEqual(json.service.readAccess, { ...takenOver, grantedAtUtc: '2026-06-15T09:30:01.000Z' });
    assert.deepEqual((await getService(service, 'Gateway', manager)).json.readAccess, json.service.readAccess);
    assert.deepEqual(
      [await statusOf(servicesPath, json.apiKey), await statusOf('/api/v1/installers', json.apiKey)],
      [200, 403],
    );
    const kid = `sund-M${managerId}`;
    assert.deepEqual(await lastOf('Gateway'), {
      history: ['ApiKeyHash, ReadAccess', '2', '2'],
      audit: [
        'GenerateServiceApiKey',
        recorded(`sund-M${manager.managerId}`),
        JSON.stringify({ ApiKeyHash: 'changed', operations: granted, grantedByKid: kid }),
      ],
    });
  });

  test('the granter’s own new key keeps the access, unless they can no longer grant it', async () => {
    const { token, managerId } = await createToken(service);
    await setReadAccess(instance, 'Backup', granted, { token });
    const { readAccess } = (await getService(service, 'Backup', manager)).json;
    clock.now += 1000;
    const kept = await makeKey('Backup', token, '2');
    assert.deepEqual(kept.json.service.readAccess, readAccess);
    assert.equal(await statusOf(servicesPath, kept.json.apiKey), 200);
    // The guard still has the permission: no topic tells it of the change.
    await service.write('sund', (db) =>
      db
        .deleteFrom('manager_permissions')
        .where('manager_id', '=', managerId)
        .where('permission', '=', 'Managers.Write')
        .execute(),
    );
    const { json } = await makeKey('Backup', token, '3');
    assert.deepEqual(json.service.readAccess.operations, []);
    assert.equal(await statusOf(servicesPath, json.apiKey), 401);
  });
});
