// Who may read the tenant status: the exact codes of the group, on both operations.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import { createToken, insertTestBank, type ManagerOptions } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { pagePath, statusPath } from './support/status-units.ts';

const paths = [statusPath, pagePath];
const reads: Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];
const location = { grants: [{ bankId: 1001, locationId: 1 }] };

serviceSuite({ tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db));
  });

  test('[auth.15, status.02] each missing right has its own code, in the order Tab, permissions, grant', async () => {
    const without = (...missing: Permission[]) => permissions.filter((each) => !missing.includes(each));
    const refused: [options: ManagerOptions, code: string][] = [
      [{ tabs: tabs.filter((tab) => tab !== 'TenantStatus1') }, 'missing-status-tab'],
      [{ tabs: [], permissions: [], grants: [] }, 'missing-status-tab'],
      [{ permissions: without('Bank.Read') }, 'missing-bank-read'],
      [{ permissions: without('Location.Read') }, 'missing-location-read'],
      [{ permissions: without('Unit.Read') }, 'missing-unit-read'],
      [{ permissions: [], grants: [] }, 'missing-bank-read'],
      [{ permissions: without('Location.Read', 'Unit.Read'), grants: [] }, 'missing-location-read'],
      [{ permissions: without('Unit.Read'), grants: [] }, 'missing-unit-read'],
      [{ grants: [] }, 'missing-resource-access'],
    ];
    for (const [options, code] of refused) {
      const token = await issueToken(options);
      for (const path of paths) {
        const { status, json } = await service.call('GET', path, { token });
        assert.deepEqual([status, json.code, json.reason], [403, code, undefined], path);
      }
    }
  });

  test('[auth.15, status.02] the Tab, the three Reads and any grant are enough', async () => {
    for (const grants of [location.grants, [{ bankId: 1001, locationId: 0 }], [{ bankId: 0, locationId: 0 }]]) {
      const token = await issueToken({ tabs: ['TenantStatus1'], permissions: reads, grants });
      for (const path of paths) assert.equal((await service.call('GET', path, { token })).status, 200, path);
    }
  });

  test('nothing is revealed without a token of the tenant; a missing right is reported before invalid input', async () => {
    const { token: foreign } = await createToken(service, { tenant: 'fjord' });
    for (const token of [undefined, 'x'.repeat(43), foreign])
      for (const path of paths) {
        const { status, json } = await service.call('GET', path, { token });
        assert.deepEqual([status, json.code], [401, 'unauthenticated'], path);
      }
    const token = await issueToken({ tabs: [] });
    for (const path of [`${statusPath}?limit=0`, `${pagePath}?cursor=x`])
      assert.equal((await service.call('GET', path, { token })).status, 403, path);
    assert.equal((await service.call('GET', `${statusPath}?limit=0`, manager)).status, 400);
  });

  test('[status.23] only GET and HEAD are served', async () => {
    for (const path of paths) {
      const { status, headers } = await service.call('POST', path, manager);
      assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, OPTIONS'], path);
      assert.equal((await service.call('HEAD', path, manager)).status, 200);
    }
  });
});
