// Every operation accepts exactly the rights that it declares and names the first missing one.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { formatGrantLevel, formatTabs } from '../../src/http/requests/authorize.ts';
import { defineManagerOperation, type ManagerOperation, type Operation } from '../../src/http/operations/operation.ts';
import { noContent } from '../../src/http/operations/response.ts';
import { needsOf, isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import type { Needs } from '../../src/permissions/needs.ts';
import {
  bankWide,
  allRights,
  isAuthorized,
  minimalRights,
  callOperation,
  exampleTargetOf,
  listByValue,
  oneLocation,
  tenantWide,
  insufficientGrants,
  sufficientGrants,
  type ManagerRights,
  type Grant,
} from '../support/operation-authorization.ts';
import { insertTestBank, createToken } from '../support/factories.ts';
import { mockMonotonicClock, startOperations } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ manager: false }, ({ service }) => {
  let operations: Operation[];
  let managed: ManagerOperation[];
  before(async () => {
    ({ operations } = createOperations(service.dependencies));
    managed = operations.filter(isManagerOperation).flatMap(listByValue);
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestBank(db, { bankId: 1002 });
    });
  });

  const callWith = async (operation: ManagerOperation, rights: ManagerRights) => {
    const { token } = await createToken(service, rights);
    return callOperation(service, operation, { token });
  };

  test('every operation accepts exactly the rights that it needs, with any one of its Tabs and any wider grant', async () => {
    for (const operation of managed) {
      const rights = minimalRights(operation);
      const byGrant = sufficientGrants(operation).map((grants) => ({ ...rights, grants }));
      const byTab = needsOf(operation.access).tabs.map((tab) => ({ ...rights, tabs: [tab] }));
      for (const given of [...byGrant, ...byTab]) {
        const reply = await callWith(operation, given);
        assert.ok(isAuthorized(reply), `${operation.id}: ${reply.text}`);
      }
    }
  });

  test('[auth.07, auth.39] every operation refuses where one right is missing, and names it', async () => {
    for (const operation of managed) {
      const needs = needsOf(operation.access);
      const assertRefused = async (rights: ManagerRights, named: string) => {
        const { status, json } = await callWith(operation, rights);
        assert.equal(status, 403, `${operation.id} without ${named}`);
        assert.ok(json.detail.includes(named), `${operation.id} without ${named}: ${json.detail}`);
      };
      if (needs.tabs.length > 0) {
        const others = tabs.filter((tab) => !needs.tabs.includes(tab));
        await assertRefused({ ...allRights, tabs: others }, formatTabs(needs.tabs));
      }
      for (const permission of needs.permissions) {
        await assertRefused(
          { ...allRights, permissions: permissions.filter((each) => each !== permission) },
          `the permission ${permission}`,
        );
      }
      for (const grants of insufficientGrants(operation))
        await assertRefused({ ...allRights, grants }, formatGrantLevel(needs.grantLevel));
    }
  });

  test('[auth.39] of several missing rights a 403 names the first: Tab, permission, scope', async () => {
    for (const operation of managed) {
      const needs = needsOf(operation.access);
      const hurdles = [
        ...(needs.tabs.length > 0 ? [{ named: formatTabs(needs.tabs), right: { tabs: needs.tabs.slice(0, 1) } }] : []),
        ...needs.permissions.map((permission, at) => ({
          named: `the permission ${permission}`,
          right: { permissions: needs.permissions.slice(0, at + 1) },
        })),
        ...(needs.grantLevel === 'none'
          ? []
          : [{ named: formatGrantLevel(needs.grantLevel), right: { grants: [tenantWide] } }]),
      ];
      let rights: ManagerRights = { tabs: [], permissions: [], grants: [] };
      for (const { named, right } of hurdles) {
        const { status, json } = await callWith(operation, rights);
        assert.equal(status, 403, operation.id);
        assert.ok(json.detail.includes(named), `${operation.id}: ${json.detail} and not ${named}`);
        rights = { ...rights, ...right };
      }
      assert.ok(isAuthorized(await callWith(operation, rights)), operation.id);
    }
  });

  test('[auth.11] the account operations need Account2 and Bank, Location, Unit and User Read', async () => {
    const account = managed.filter(({ id }) => ['GetBankAccount', 'GetBankAccountRevision'].includes(id));
    assert.equal(account.length, 2);
    for (const operation of account) {
      const noTab = await callWith(operation, { ...allRights, tabs: tabs.filter((tab) => tab !== 'Account2') });
      assert.deepEqual([noTab.status, noTab.json.code, noTab.json.reason], [403, 'forbidden', 'missing-tab']);
      for (const area of ['Bank', 'Location', 'Unit', 'User']) {
        const rights = { ...allRights, permissions: permissions.filter((each) => each !== `${area}.Read`) };
        const { status, json } = await callWith(operation, rights);
        assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', `missing-${area.toLowerCase()}-read`]);
      }
      const reads = permissions.filter((each) => /^(Bank|Location|Unit|User)\.Read$/.test(each));
      const enough = await callWith(operation, { tabs: ['Account2'], permissions: reads, grants: [oneLocation] });
      assert.equal(enough.status, 200);
    }
  });

  test('[auth.12] residents, their receipts and their addresses need Users2, and no other Tab suffices', async () => {
    const ofResidents = managed.filter(
      (operation) =>
        operation.path.includes('/users') || exampleTargetOf(operation).startsWith('/api/v1/addresses/sund-B1001-R'),
    );
    const expected = [
      'CreateBankUser',
      'ExecuteBankUserCommand',
      'ExportBankUsers',
      'GetBankUserActivation',
      'GetBankUserWorkspace',
      'GetBankUsers',
      'GetObjectAddress',
      'GetUserReceipts',
      'GetUserReceiptsHtml',
      'LookupObjectCoordinates',
      'SetObjectCoordinateProvenance',
      'SetObjectCoordinates',
      'UpdateObjectAddress',
    ];
    assert.deepEqual(new Set(ofResidents.map(({ id }) => id)), new Set(expected));
    for (const operation of ofResidents) {
      const without = await callWith(operation, { ...allRights, tabs: tabs.filter((tab) => tab !== 'Users2') });
      assert.deepEqual([without.status, without.json.code, without.json.reason], [403, 'forbidden', 'missing-tab']);
      const only = await callWith(operation, { ...allRights, tabs: ['Users2'] });
      assert.ok(isAuthorized(only), `${operation.id}: ${only.text}`);
    }
  });

  test('[auth.18] each of the twenty-one permissions is checked on its own', async () => {
    const testOperations = permissions.map((permission) =>
      defineManagerOperation({
        id: `Needs${permission}`,
        method: 'GET',
        path: `/api/v1/test/${permission}`,
        openApiDocuments: [],
        group: 'Test',
        summary: 'A test operation',
        access: { permissions: [permission] },
        response: noContent,
        deadlineMs: 5000,
        run: () => undefined,
      }),
    );
    const instance = await startOperations(service, testOperations);
    try {
      for (const [at, permission] of permissions.entries()) {
        const operation = testOperations[at] as ManagerOperation;
        const only = await createToken(service, { tabs: [], permissions: [permission], grants: [] });
        const others = await createToken(service, { permissions: permissions.filter((each) => each !== permission) });
        assert.equal((await callOperation(instance, operation, { token: only.token })).status, 204, permission);
        const refused = await callOperation(instance, operation, { token: others.token });
        assert.deepEqual(
          [refused.status, refused.json.detail],
          [403, `The operation needs the permission ${permission}.`],
        );
      }
    } finally {
      await instance.stop();
    }
  });

  test('[auth.19] a grant covers the tenant, one bank, or one location of one bank', async () => {
    const account = managed.filter(({ id }) => id.startsWith('GetBankAccount'));
    for (const operation of account) {
      for (const [grant, first, second] of [
        [tenantWide, 200, 200],
        [bankWide, 200, 403],
        [oneLocation, 200, 403],
        [{ bankId: 1002, locationId: 0 }, 403, 200],
      ] as const) {
        const { token } = await createToken(service, { grants: [grant] });
        const statuses = [1001, 1002].map(
          async (bankId) => (await callOperation(service, operation, { token }, bankId)).status,
        );
        assert.deepEqual(await Promise.all(statuses), [first, second], `${operation.id} ${JSON.stringify(grant)}`);
      }
    }
    const locations = async (grant: Grant): Promise<string[]> => {
      const { token } = await createToken(service, { grants: [grant] });
      const { json } = await service.call('GET', '/api/v1/session/me', { token });
      return json.access.banks.flatMap((bank: { locations: { kid: string }[] }) =>
        bank.locations.map(({ kid }) => kid),
      );
    };
    assert.deepEqual(await locations(oneLocation), ['sund-B1001-L1']);
    assert.deepEqual(await locations(bankWide), ['sund-B1001-L1', 'sund-B1001-L2']);
  });

  test('[auth.07] the Tab, a permission or the grants, withdrawn after a first call, give 403 at every operation', async () => {
    const withdrawn = ({ tabs: neededTabs, permissions: needed, grantLevel }: Needs) => [
      ...(neededTabs.length > 0 ? ([['manager_tabs', formatTabs(neededTabs)]] as const) : []),
      ...(needed.length > 0 ? ([['manager_permissions', `the permission ${needed[0]}`]] as const) : []),
      ...(grantLevel === 'none' ? [] : ([['manager_grants', formatGrantLevel(grantLevel)]] as const)),
    ];
    const clock = mockMonotonicClock();
    try {
      for (const operation of managed) {
        for (const [table, named] of withdrawn(needsOf(operation.access))) {
          const { token, managerId } = await createToken(service, minimalRights(operation));
          assert.ok(isAuthorized(await callOperation(service, operation, { token })), operation.id);
          await service.write('sund', (db) => db.deleteFrom(table).where('manager_id', '=', managerId).execute());
          clock.advance(60_000);
          const { status, json } = await callOperation(service, operation, { token });
          assert.equal(status, 403, `${operation.id} without ${named}`);
          assert.ok(json.detail.includes(named), `${operation.id} without ${named}: ${json.detail}`);
        }
      }
    } finally {
      clock.restore();
    }
  });

  test('[auth.07, auth.19] a grant that moves to another bank changes which bank every operation accepts', async () => {
    const clock = mockMonotonicClock();
    try {
      const readsOfBank = managed.filter(
        ({ method, path, access }) =>
          method === 'GET' && /^[^{]*\{bankKid\}[^{]*$/.test(path) && needsOf(access).grantLevel !== 'tenant',
      );
      assert.ok(readsOfBank.length > 4);
      for (const operation of readsOfBank) {
        const { token, managerId } = await createToken(service, { ...minimalRights(operation), grants: [bankWide] });
        const opens = async (bankId: number): Promise<boolean> =>
          (await callOperation(service, operation, { token }, bankId)).status === 200;
        assert.deepEqual([await opens(1001), await opens(1002)], [true, false], operation.id);
        await service.write('sund', (db) =>
          db.updateTable('manager_grants').set({ bank_id: 1002 }).where('manager_id', '=', managerId).execute(),
        );
        clock.advance(60_000);
        assert.deepEqual([await opens(1001), await opens(1002)], [false, true], operation.id);
      }
    } finally {
      clock.restore();
    }
  });
});
