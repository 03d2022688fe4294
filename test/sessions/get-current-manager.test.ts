// GetCurrentManager: the manager of the session, and their rights.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { isOfComputers } from '../../src/http/operations/operation-properties.ts';
import { anyTab } from '../../src/permissions/matrix.ts';
import { before, test } from 'node:test';
import { insertTestBank, createToken, type ManagerOptions } from '../support/factories.ts';
import { createOperations } from '../../src/app.ts';
import { callOperation } from '../support/operation-replies.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { ms2000Of } from '../support/account-oracle.ts';

const fields = [
  'kid',
  'name',
  'email',
  'organisation',
  'iconKid',
  'theme',
  'tenantKid',
  'tenantName',
  'timeZone',
  'environment',
  'tabs',
  'access',
  'permissions',
  'operations',
  'databaseAccess',
  'expiresAtUtc',
];

type Grant = { bankId: number; locationId: number };

/** Bank -> its locations that are not deleted. */
const places: Record<number, number[]> = { 1001: [1, 2], 1002: [1, 3], 1003: [] };

serviceSuite({ now: ms2000Of('2026-01-31T23:30:00Z'), manager: false }, ({ service }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 1001, places: { 1: [1], 2: [] } });
      await insertTestBank(db, { bankId: 1002, places: { 1: [], 2: [1], 3: [] } });
      await insertTestBank(db, { bankId: 1003, places: {} });
      await insertTestBank(db, { bankId: 1004, places: { 1: [] }, deletedAt: 1 });
      await db
        .updateTable('locations')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', 1002)
        .where('location_id', '=', 2)
        .execute();
      await db.updateTable('banks').set({ icon: 'house' }).where('bank_id', '=', 1002).execute();
    });
  });

  const current = async (options: ManagerOptions & { environment?: 'production' | 'beta' } = {}) => {
    const { token, managerId } = await createToken(service, options);
    const host = options.environment === 'beta' ? 'beta.api.sund.localhost' : 'api.sund.localhost';
    const reply = await callOperation(service, 'GetCurrentManager', {}, { token, host });
    assert.equal(reply.status, 200, reply.text);
    return { json: reply.json, reply, managerId };
  };

  test('[auth.23, auth.34] it describes the manager, the tenant, and when the session ends', async () => {
    const { json, managerId, reply } = await current({
      name: 'Åse Bjørn',
      email: 'aase@example.org',
      organisation: 'Vask & Co',
      personIcon: 'person',
    });
    assert.deepEqual(Object.keys(json), fields);
    const { access: _access, permissions: _permissions, operations: _operations, tabs: _tabs, ...listed } = json;
    assert.deepEqual(listed, {
      kid: `sund-M${managerId}`,
      name: 'Åse Bjørn',
      email: 'aase@example.org',
      organisation: 'Vask & Co',
      iconKid: 'person',
      theme: 0,
      tenantKid: 'sund',
      tenantName: 'Sund',
      timeZone: 'Europe/Copenhagen',
      environment: 'production',
      databaseAccess: 'ReadWrite',
      expiresAtUtc: '2026-02-01T00:30:00.000Z',
    });
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal((await current({ environment: 'beta' })).json.environment, 'beta');
  });

  test('[auth.23, auth.34] it lists every operation of the service, true or false, except those of computers', async () => {
    const ids = createOperations(service.dependencies)
      .operations.filter((operation) => !isOfComputers(operation))
      .map(({ id }) => id);
    const all = (await current()).json.operations;
    assert.deepEqual(Object.keys(all), ids);
    assert.deepEqual(new Set(Object.values(all)), new Set([true]), 'a manager with every right may do everything');
    const none = (await current({ tabs: [], permissions: [], grants: [] })).json.operations;
    assert.deepEqual(Object.keys(none), ids);
    assert.deepEqual([none.GetCurrentManager, none.LogoutManager, none.LoginManager], [true, true, true]);
    assert.deepEqual([none.GetBankAccount, none.GetBankAccountRevision], [false, false]);
  });

  test("[auth.18, auth.23] it lists the flags of every area, in the matrix's order", async () => {
    const { json } = await current({ permissions: ['Service.Create', 'Bank.Write', 'Bank.Read', 'Managers.Read'] });
    assert.deepEqual(Object.entries(json.permissions), [
      ['Bank', ['Read', 'Write']],
      ['Location', []],
      ['Unit', []],
      ['User', []],
      ['Installer', []],
      ['Managers', ['Read']],
      ['Service', ['Create']],
    ]);
  });

  test('[auth.17, auth.37] it lists the Tabs by name, also those that no operation needs', async () => {
    const { operations } = createOperations(service.dependencies);
    const needed = new Set(
      operations.flatMap(({ access }) =>
        typeof access === 'string' || access.tabs === anyTab ? [] : (access.tabs ?? []),
      ),
    );
    assert.ok(!needed.has('Dashboard1') && !needed.has('Reports1') && needed.has('Account2'));
    const { json } = await current({ tabs: ['Reports1', 'Account2', 'Dashboard1'] });
    assert.deepEqual(json.tabs, ['Account2', 'Dashboard1', 'Reports1']);
  });

  test('a Tab or permission that the service does not know is not listed', async () => {
    const { token, managerId } = await createToken(service, { tabs: ['Users2'], permissions: ['Unit.Read'] });
    await service.write('sund', async (db) => {
      await db.insertInto('manager_tabs').values({ manager_id: managerId, tab: 'Gone9' }).execute();
      await db.insertInto('manager_permissions').values({ manager_id: managerId, permission: 'Unit.Fly' }).execute();
    });
    const { json } = await callOperation(service, 'GetCurrentManager', {}, { token });
    assert.deepEqual(json.tabs, ['Users2']);
    assert.deepEqual(json.permissions.Unit, ['Read']);
  });

  test('[auth.19, auth.35] access names the banks and locations that the grants cover, whole or in part', async () => {
    const access = async (...grants: Grant[]) => (await current({ grants })).json.access;
    const location = (bankId: number, id: number) => ({ kid: `sund-B${bankId}-L${id}`, name: `Location ${id}` });
    const bank = (bankId: number, bankWide: boolean, ...locations: object[]) => ({
      kid: `sund-B${bankId}`,
      name: `Bank ${bankId}`,
      iconKid: bankId === 1002 ? 'house' : 'bank_building',
      bankWide,
      locations,
    });
    const first = bank(1001, true, location(1001, 1), location(1001, 2));
    const second = bank(1002, true, location(1002, 1), location(1002, 3));
    assert.deepEqual(await access({ bankId: 0, locationId: 0 }), {
      tenantWide: true,
      banks: [first, second, bank(1003, true)],
    });
    assert.deepEqual(await access({ bankId: 1002, locationId: 0 }), { tenantWide: false, banks: [second] });
    assert.deepEqual(await access({ bankId: 1001, locationId: 2 }), {
      tenantWide: false,
      banks: [bank(1001, false, location(1001, 2))],
    });
    assert.deepEqual(await access(), { tenantWide: false, banks: [] });
  });

  test('[auth.35] access agrees with the grants, whichever they are', async () => {
    const anyGrant = fc.oneof(
      { weight: 1, arbitrary: fc.constant<Grant>({ bankId: 0, locationId: 0 }) },
      {
        weight: 8,
        arbitrary: fc.record({
          bankId: fc.integer({ min: 1001, max: 1005 }),
          locationId: fc.integer({ min: 0, max: 4 }),
        }),
      },
    );
    const selector = ({ bankId, locationId }: Grant): string => `${bankId}-${locationId}`;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyGrant, { maxLength: 5, selector }), async (grants) => {
        const { access } = (await current({ grants })).json;
        const granted = (bankId: number, locationId: number): boolean =>
          grants.some((each) => each.bankId === bankId && each.locationId === locationId);
        const tenantWide = granted(0, 0);
        assert.equal(access.tenantWide, tenantWide);
        const expected = Object.entries(places).flatMap(([id, locationIds]) => {
          const bankId = Number(id);
          const bankWide = tenantWide || granted(bankId, 0);
          if (!bankWide && grants.every((each) => each.bankId !== bankId)) return [];
          const covered = locationIds.filter((locationId) => bankWide || granted(bankId, locationId));
          return [[`sund-B${bankId}`, bankWide, covered.map((locationId) => `sund-B${bankId}-L${locationId}`)]];
        });
        type ListedBank = { kid: string; bankWide: boolean; locations: { kid: string }[] };
        const listed = access.banks.map((each: ListedBank) => [
          each.kid,
          each.bankWide,
          each.locations.map(({ kid }) => kid),
        ]);
        assert.deepEqual(listed, expected);
      }),
      { numRuns: 40 },
    );
  });
});
