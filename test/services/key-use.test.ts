// Keys of services as tokens: which operations they can call, whose rights limit them, and what ends them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { ServiceIdentity } from '../../src/features/services/rules/service-catalogue.ts';
import { acceptsServiceKey, isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import type { Permission } from '../../src/permissions/matrix.ts';
import { waitUntil } from '../support/async.ts';
import type { CallOptions } from '../support/call.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { exampleTargetOf } from '../support/operation-authorization.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  createApiKey,
  getService,
  servicePath,
  servicesPath,
  setReadAccess,
  updateService,
} from '../support/services.ts';
import { minuteMs, testNow } from '../support/times.ts';

const installersPath = '/api/v1/installers';

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ service, manager, clock, onStop, issueToken }) => {
  let instances: readonly TestInstance[];
  let checked: string[] = [];
  before(async () => {
    const verify: typeof plainPasswords.verify = (key, phc) => {
      checked.push(key);
      return plainPasswords.verify(key, phc);
    };
    const passwordHasher = { ...plainPasswords, verify };
    instances = [await startInstance(service, { passwordHasher }), await startInstance(service, { passwordHasher })];
    for (const instance of instances) onStop(instance.stop);
    await service.write('sund', (db) => insertTestBank(db));
  });

  /** A service with a key and what it may read; the maker has every right, and so has the granter unless told otherwise. */
  async function createKey(identity: ServiceIdentity, operations: readonly string[], granterToken = manager.token) {
    const key = createApiKey(Number(servicePath(identity).split('-M')[1]));
    await service.write('sund', (db) =>
      updateService(db, identity, {
        api_key_hash: plainPasswordHash(key),
        api_key_environment: 'production',
        api_key_made_by: manager.managerId,
      }),
    );
    const { json } = await getService(service, identity, manager);
    const options = { token: granterToken, expectedRevision: json.profileRevision };
    assert.equal((await setReadAccess(service, identity, operations, options)).status, 200);
    return key;
  }
  const ask = (path: string, token: string, options: CallOptions = {}, at = 0) =>
    instances[at]!.call('GET', path, { token, ...options });
  const statusOf = async (path: string, key: string, options: CallOptions = {}, at = 0) => {
    const { status, json } = await ask(path, key, options, at);
    return status === 200 ? 200 : `${status} ${json.reason ?? json.code}`;
  };

  test('a key can call exactly the granted operations, and none before the grant', async () => {
    const key = await createKey('Statistics', []);
    assert.equal(await statusOf(servicesPath, key), '401 unauthenticated');
    await createKey('Mailer', ['GetInstallers']);
    const granted = await createKey('Statistics', ['GetServices', 'GetUnitGroup']);
    assert.equal(await statusOf(servicesPath, granted), 200);
    assert.equal((await instances[0]!.call('HEAD', servicesPath, { token: granted })).status, 200);
    assert.equal(await statusOf(installersPath, granted), '403 operation-not-granted');
    assert.equal(await statusOf(servicePath('Mailer'), granted), '401 unauthenticated', 'it has the hash of a key');
    const group = await ask('/api/v1/units/sund-B1001-L1-U1/groups/General', granted);
    assert.equal(group.status, 200, group.text);
    for (const { canEdit } of group.json.values) assert.equal(canEdit, false, 'a key only reads');
  });

  test('operations that accept no key answer 401: writes, sessions, secrets and the audit log', async () => {
    const { operations } = createOperations(service.dependencies);
    const others = operations.filter((operation) => isManagerOperation(operation) && !acceptsServiceKey(operation));
    const key = await createKey('Export', ['GetServices']);
    checked = [];
    for (const operation of others) {
      const { status } = await instances[0]!.call(operation.method, exampleTargetOf(operation), { token: key });
      assert.equal(status, 401, operation.id);
    }
    const ids = others.map(({ id }) => id);
    for (const id of ['LogoutManager', 'GetCurrentManager', 'GetBankUserActivation', 'GetAuditLog', 'SetUnitSetting'])
      assert.ok(ids.includes(id), id);
    assert.deepEqual(checked, []);
  });

  test('a key never has more rights than its granter has at that moment, on every replica', async () => {
    const least: Permission[] = ['Service.Read', 'Service.Write', 'Managers.Write', 'Installer.Read'];
    const { token, managerId } = await createToken(service, { permissions: least, tabs: ['Services1', 'Installers1'] });
    const key = await createKey('Gateway', ['GetServices', 'GetInstallers', 'GetBankUsers'], token);
    const both = async (path: string) => [await statusOf(path, key, {}, 0), await statusOf(path, key, {}, 1)];
    assert.deepEqual(await both(installersPath), [200, 200]);
    assert.deepEqual(await both('/api/v1/banks/sund-B1001/users'), ['403 missing-tab', '403 missing-tab']);
    const change = (work: Parameters<typeof service.write<unknown>>[1]) => service.write('sund', work);
    await change((db) =>
      db
        .deleteFrom('manager_permissions')
        .where('manager_id', '=', managerId)
        .where('permission', '=', 'Installer.Read')
        .execute(),
    );
    assert.deepEqual(await both(installersPath), ['403 missing-installer-read', '403 missing-installer-read']);
    await change((db) =>
      db.updateTable('manager_grants').set({ bank_id: 1001 }).where('manager_id', '=', managerId).execute(),
    );
    const refused = ['401 unauthenticated', '401 unauthenticated'];
    assert.deepEqual(await both(servicesPath), refused, 'who has no tenant-wide grant can grant nothing');
    await change((db) =>
      db.updateTable('manager_grants').set({ bank_id: 0 }).where('manager_id', '=', managerId).execute(),
    );
    assert.deepEqual(await both(servicesPath), [200, 200]);
    await change((db) => db.updateTable('managers').set({ active: 0 }).where('manager_id', '=', managerId).execute());
    for (const path of [servicesPath, installersPath]) assert.deepEqual(await both(path), refused);
    await change((db) =>
      db.updateTable('managers').set({ active: 1, deleted_at: 1 }).where('manager_id', '=', managerId).execute(),
    );
    assert.deepEqual(await both(installersPath), refused);
  });

  test('a replaced key and withdrawn access are refused from the next call on, on every replica', async () => {
    const first = await createKey('Payments', ['GetServices']);
    for (const at of [0, 1]) assert.equal(await statusOf(servicesPath, first, {}, at), 200);
    const second = await createKey('Payments', ['GetServices']);
    for (const at of [0, 1]) {
      assert.equal(await statusOf(servicesPath, first, {}, at), '401 unauthenticated');
      assert.equal(await statusOf(servicesPath, second, {}, at), 200);
    }
    const { json } = await getService(service, 'Payments', manager);
    await setReadAccess(service, 'Payments', [], { ...manager, expectedRevision: json.profileRevision });
    for (const at of [0, 1]) assert.equal(await statusOf(servicesPath, second, {}, at), '401 unauthenticated');
  });

  test('a key is valid for one tenant and one environment', async () => {
    const key = await createKey('Scheduler', ['GetServices']);
    assert.equal(await statusOf(servicesPath, key), 200);
    for (const host of ['beta.api.sund.localhost', 'api.fjord.localhost'])
      assert.equal(await statusOf(servicesPath, key, { host }), '401 unauthenticated', host);
    await service.write('sund', (db) => updateService(db, 'Scheduler', { api_key_environment: 'beta' }));
    assert.equal(await statusOf(servicesPath, key), '401 unauthenticated');
    assert.equal(await statusOf(servicesPath, key, { host: 'beta.api.sund.localhost' }), 200);
  });

  test('a key is hashed once, and a malformed key is never hashed', async () => {
    const key = await createKey('Bookings', ['GetServices']);
    checked = [];
    const many = await Promise.all(Array.from({ length: 20 }, () => statusOf(servicesPath, key)));
    assert.deepEqual([...new Set(many)], [200]);
    assert.deepEqual(checked, [key]);
    const broken = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    for (const wrong of [broken, createApiKey(12), createApiKey(999), key.slice(0, -1), `${key}0`])
      assert.equal(await statusOf(servicesPath, wrong), '401 unauthenticated', wrong);
    assert.deepEqual(checked, [key]);
    const replacement = await createKey('Bookings', ['GetServices']);
    for (let at = 0; at < 12; at += 1) assert.equal(await statusOf(servicesPath, key), '401 unauthenticated');
    assert.deepEqual(checked, [key, key], 'a key that does not fit any more is hashed once more');
    assert.equal(await statusOf(servicesPath, replacement), 200);
  });

  test('[replicas.10] any number of wrong keys does not block a right one, even from the same address, at any replica', async () => {
    const key = await createKey('Documents', ['GetServices']);
    const other = await createKey('Geocoder', ['GetServices']);
    assert.equal(await statusOf(servicesPath, key, {}, 1), 200);
    const from = { from: '127.0.0.9' };
    for (const at of [1, 0]) {
      const wrong = await Promise.all(Array.from({ length: 15 }, () => ask(servicesPath, createApiKey(9), from, at)));
      assert.deepEqual([...new Set(wrong.map(({ status }) => status))], [401]);
      for (const token of [other, key, manager.token]) assert.equal(await statusOf(servicesPath, token, from, at), 200);
    }
  });

  test('the last use of a key is shown, to within a minute', async () => {
    const key = await createKey('Monitoring', ['GetServices']);
    const lastUse = async () => (await getService(service, 'Monitoring', manager)).json.readAccess.lastUsedUtc;
    const usedAt = (ms: number) => new Date(ms + Date.UTC(2000, 0, 1)).toISOString();
    assert.equal(await lastUse(), null);
    await ask(servicesPath, key);
    await waitUntil('the first use', async () => (await lastUse()) === usedAt(testNow));
    clock.now += minuteMs - 1;
    await ask(servicesPath, key);
    await ask(servicesPath, key, {}, 1);
    clock.now += 1;
    await ask(servicesPath, key);
    await waitUntil('the use a minute later', async () => (await lastUse()) === usedAt(testNow + minuteMs));
    const { json } = await getService(service, 'Monitoring', manager);
    assert.equal(json.profileRevision, '2', 'a use is no change of the profile');
  });

  test('exports, metrics and limits name the service', async () => {
    const key = await createKey('Backup', ['ExportBankUsers', 'GetServices']);
    const exported = await ask('/api/v1/banks/sund-B1001/users/export.csv', key);
    assert.equal(exported.status, 200, exported.text);
    const log = await service.call('GET', '/api/v1/audit?operation=ExportBankUsers', manager);
    assert.partialDeepStrictEqual(log.json.items[0]?.actor, { kind: 'service', kid: 'sund-B0-M12' });
    assert.match(
      await service.dependencies.metrics.text(),
      /service_key_requests_total\{tenant="sund",service_id="12",status="200"\} \d+/,
    );
    const rateLimit = { principalPerMinute: 2, addressPerMinute: 1000 };
    const limited = await startInstance(service, {
      config: { ...service.dependencies.config, rateLimit },
      passwordHasher: plainPasswords,
    });
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await limited.call('GET', servicesPath, { token: key })).status);
    statuses.push((await limited.call('GET', servicesPath, { token: await issueToken() })).status);
    await limited.stop();
    assert.deepEqual(statuses, [200, 200, 429, 200]);
  });
});
