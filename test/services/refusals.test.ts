// Refusals of the operations on services: the exact codes of the group.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import type { ManagerOptions } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  generateApiKey,
  setReadAccess,
  getService,
  readOperationIds,
  readServiceContent,
  serviceKid,
  servicesPath,
  setServiceField,
} from '../support/services.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken }) => {
  let initial: unknown;
  before(async () => {
    initial = await readServiceContent(service, 'Mailer');
  });
  const reads: Record<string, (options: CallOptions) => Promise<HttpReply>> = {
    GetServices: (options) => service.call('GET', servicesPath, options),
    GetService: (options) => getService(service, 'Mailer', options),
  };
  const writes: typeof reads = {
    SetServiceProfileField: (options) => setServiceField(service, 'Mailer', 'Name', 'Post', options),
    GenerateServiceApiKey: (options) => generateApiKey(service, 'Mailer', options),
    SetServiceReadAccess: (options) => setReadAccess(service, 'Mailer', ['GetServices'], options),
  };
  const all = { ...reads, ...writes };
  const without = (missing: Permission): ManagerOptions => ({
    permissions: permissions.filter((each) => each !== missing),
  });
  const unchanged = async (): Promise<void> => assert.deepEqual(await readServiceContent(service, 'Mailer'), initial);

  test('[services.01, services.02, services.28] each missing right has its own code, in the order Tab, permission, grant', async () => {
    const bankWide = { grants: [{ bankId: 1001, locationId: 0 }] };
    const refused: [options: ManagerOptions, code: string, operations: typeof reads][] = [
      [{ tabs: tabs.filter((tab) => tab !== 'Services1') }, 'missing-services-tab', all],
      [{ tabs: [], permissions: [], grants: [] }, 'missing-services-tab', all],
      [without('Service.Read'), 'missing-services-read', all],
      [{ permissions: [], ...bankWide }, 'missing-services-read', all],
      [without('Service.Write'), 'missing-services-write', writes],
      [{ ...without('Service.Write'), ...bankWide }, 'missing-services-write', writes],
      [bankWide, 'missing-tenant-access', all],
      [{ grants: [{ bankId: 1001, locationId: 1 }] }, 'missing-tenant-access', all],
      [{ grants: [] }, 'missing-tenant-access', all],
    ];
    for (const [options, code, operations] of refused) {
      const token = await issueToken(options);
      for (const [id, ask] of Object.entries(operations)) {
        const { status, json } = await ask({ token });
        assert.deepEqual([status, json.code, json.reason], [403, code, undefined], id);
      }
    }
    await unchanged();
  });

  test('[services.01] the Tab, the permission and a tenant-wide grant are enough to read', async () => {
    const token = await issueToken({ tabs: ['Services1'], permissions: ['Service.Read'] });
    for (const [id, ask] of Object.entries(reads)) assert.equal((await ask({ token })).status, 200, id);
    for (const [id, ask] of Object.entries(writes)) assert.equal((await ask({ token })).status, 403, id);
  });

  test('without a token nothing is revealed', async () => {
    for (const token of [undefined, 'x'.repeat(43)])
      for (const [id, ask] of Object.entries(all)) {
        const { status, json } = await ask({ token });
        assert.deepEqual([status, json.code], [401, 'unauthenticated'], id);
      }
    await unchanged();
  });

  test('[kid.05, services.16] a KID that is malformed, of another tenant, or names no service, such as that of a human manager, is 400 invalid-service-kid', async () => {
    const own = serviceKid('Mailer');
    const refused = [
      serviceKid('Mailer', 'fjord'),
      'sund',
      `sund-M${manager.managerId}`,
      'sund-M1001',
      'sund-M3',
      'sund-I3',
      'sund-B1001',
      'sund-B1-M3',
      'sund-B0-M0',
      'sund-B0-M03',
      'sund-B0-M1000',
      'sund-B0-M1001',
      'sund-B0-M999',
      'sund-B0-m3',
      own.toUpperCase(),
      `${own}-`,
      'Mailer',
      '3',
    ];
    for (const kid of refused)
      for (const [method, rest, body] of [
        ['GET', '', undefined],
        ['POST', '/profile/Name', { value: 'Post', expectedRevision: '1' }],
        ['POST', '/api-key', { expectedRevision: '1' }],
        ['PUT', '/read-access', { operations: [], expectedRevision: '1' }],
      ] as const) {
        const { status, json } = await service.call(method, `${servicesPath}/${kid}${rest}`, { ...manager, body });
        assert.deepEqual([status, json.code], [400, 'invalid-service-kid'], `${kid}${rest}`);
      }
    await unchanged();
  });

  test('the tests of every operation leave none out that is published', async () => {
    assert.deepEqual(await readOperationIds(service), Object.keys(all).toSorted());
  });

  test('[services.29] while storage is away every operation is 503 services-unavailable', async () => {
    for (const [id, ask] of Object.entries(all)) {
      const { status, json } = await callWithoutStorage(service, () => ask(manager), 'services');
      assert.deepEqual([status, json.code], [503, 'services-unavailable'], id);
    }
    await unchanged();
  });
});
