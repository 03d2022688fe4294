// GetManagers: pages, search, order, state, and what an item shows.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestManager, type ManagerOptions } from '../support/factories.ts';
import { listManagers } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { permissions } from '../../src/permissions/matrix.ts';

const people: readonly ManagerOptions[] = [
  { userName: 'hidden login', name: 'Åse Lund', email: 'ase@elm.example', organisation: 'Elm', permissions: [] },
  { name: 'Bo Øster 10', email: 'bo@elm.example', organisation: 'Elm', permissions: ['Bank.Read'], active: false },
  {
    name: 'bo ØSTER 2',
    email: 'bo2@oak.example',
    organisation: 'Ash & Oak',
    grants: [{ bankId: 1001, locationId: 0 }],
  },
  {
    name: 'Zoë',
    email: '',
    organisation: '',
    personIcon: 'house',
    permissions: permissions.filter((each) => each.endsWith('.Read')),
  },
];

serviceSuite({ now: testNow, manager: { name: 'Mia Caller' } }, ({ service, manager, issueToken }) => {
  let ids: number[] = [];
  before(async () => {
    ids = [];
    for (const person of people)
      ids.push((await service.write('sund', (db) => insertTestManager(db, person))).managerId);
  });

  const namesOf = async (query: Record<string, string> = {}): Promise<string[]> => {
    const { status, json, text } = await listManagers(service, manager, query);
    assert.equal(status, 200, text);
    return json.items.map(({ name }: { name: string }) => name);
  };

  test('[managers.24] the list has every manager, by name without case and accents, numbers by value', async () => {
    const all = ['Åse Lund', 'bo ØSTER 2', 'Bo Øster 10', 'Mia Caller', 'Zoë'];
    assert.deepEqual(await namesOf(), all);
    assert.deepEqual(await namesOf({ direction: 'desc' }), all.toReversed());
    const byKid = ['Mia Caller', 'Åse Lund', 'Bo Øster 10', 'bo ØSTER 2', 'Zoë'];
    assert.deepEqual(await namesOf({ sort: 'kid' }), byKid);
    assert.deepEqual(await namesOf({ sort: 'kid', direction: 'desc' }), byKid.toReversed());
  });

  test('[managers.24] state selects active, inactive or all managers', async () => {
    assert.deepEqual(await namesOf({ state: 'inactive' }), ['Bo Øster 10']);
    assert.deepEqual(await namesOf({ state: 'active' }), ['Åse Lund', 'bo ØSTER 2', 'Mia Caller', 'Zoë']);
    assert.equal((await namesOf({ state: 'all' })).length, 5);
  });

  test('[managers.24] an item shows the person, activity, grant, role and when the manager was last seen', async () => {
    const { json } = await listManagers(service, manager, { filter: 'elm' });
    assert.deepEqual(json.items, [
      {
        kid: `sund-M${ids[0]}`,
        name: 'Åse Lund',
        email: 'ase@elm.example',
        organisation: 'Elm',
        iconKid: 'person',
        active: true,
        tenantWide: true,
        role: 'None',
        lastSeenUtc: null,
      },
      {
        kid: `sund-M${ids[1]}`,
        name: 'Bo Øster 10',
        email: 'bo@elm.example',
        organisation: 'Elm',
        iconKid: 'person',
        active: false,
        tenantWide: true,
        role: 'Custom',
        lastSeenUtc: null,
      },
    ]);
    const [zoe] = (await listManagers(service, manager, { filter: 'zoe' })).json.items;
    assert.deepEqual([zoe?.role, zoe?.iconKid, zoe?.tenantWide], ['Reader', 'house', true]);
    const [bo] = (await listManagers(service, manager, { filter: 'bo2' })).json.items;
    assert.deepEqual([bo?.role, bo?.tenantWide], ['Administrator', false]);
  });

  test('every word of the filter begins a word of the name, email address, organisation or id', async () => {
    for (const [filter, found] of [
      ['ase', ['Åse Lund']],
      ['LUND å', ['Åse Lund']],
      ['oster', ['bo ØSTER 2', 'Bo Øster 10']],
      ['bo elm', ['Bo Øster 10']],
      ['oak ash', ['bo ØSTER 2']],
      ['und', []],
      [`sund-M${ids[3]}`, ['Zoë']],
      [`M${ids[3]}`, ['Zoë']],
      [String(ids[3]), ['Zoë']],
      ['sund-M1', []],
      ['%', []],
      ['_', []],
      ['hidden', []],
    ] as const)
      assert.deepEqual(await namesOf({ filter }), found, filter);
  });

  test('pages are consecutive, and hasMore says whether another one follows', async () => {
    const page = async (offset: number, limit: number) => {
      const { json } = await listManagers(service, manager, { offset: String(offset), limit: String(limit) });
      assert.deepEqual([json.offset, json.limit], [offset, limit]);
      return [json.items.map(({ name }: { name: string }) => name), json.hasMore];
    };
    assert.deepEqual(await page(0, 2), [['Åse Lund', 'bo ØSTER 2'], true]);
    assert.deepEqual(await page(2, 2), [['Bo Øster 10', 'Mia Caller'], true]);
    assert.deepEqual(await page(4, 2), [['Zoë'], false]);
    assert.deepEqual(await page(9, 2), [[], false]);
  });

  test('a manager who changed the name or organisation is found and sorted by the new one at once', async () => {
    const token = await issueToken({ name: 'Old Name', organisation: '' });
    for (const [field, value] of [
      ['Name', 'Aaron Ny'],
      ['Organisation', 'Birch'],
    ]) {
      const { json } = await service.call('GET', '/api/v1/session/me/profile', { token });
      const body = { value, expectedRevision: json.revision };
      assert.equal((await service.call('POST', `/api/v1/session/me/profile/${field}`, { token, body })).status, 200);
    }
    assert.deepEqual(await namesOf({ filter: 'old name' }), []);
    assert.deepEqual(await namesOf({ filter: 'ny birch' }), ['Aaron Ny']);
    assert.equal((await namesOf())[0], 'Aaron Ny');
  });

  test('a deleted manager is in no list', async () => {
    const { managerId } = await service.write('sund', (db) => insertTestManager(db, { name: 'Gone' }));
    assert.deepEqual(await namesOf({ filter: 'gone' }), ['Gone']);
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ deleted_at: 1 }).where('manager_id', '=', managerId).execute(),
    );
    assert.deepEqual(await namesOf({ filter: 'gone' }), []);
  });

  test('an invalid query is 400', async () => {
    for (const query of [
      { state: 'deleted' },
      { sort: 'email' },
      { limit: '201' },
      { filter: 'x'.repeat(129) },
      { a: '' },
    ]) {
      const { status, json } = await listManagers(service, manager, query);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], JSON.stringify(query));
    }
  });

  test('[managers.05] the list needs Managers1, Managers Read and a tenant-wide grant', async () => {
    for (const [rights, status, reason] of [
      [{ tabs: ['Managers1'], permissions: ['Managers.Read'] }, 200, undefined],
      [{ tabs: ['Account2'] }, 403, 'missing-tab'],
      [{ permissions: permissions.filter((each) => each !== 'Managers.Read') }, 403, 'missing-managers-read'],
      [{ grants: [{ bankId: 1001, locationId: 0 }] }, 403, 'too-narrow'],
    ] as const) {
      const reply = await listManagers(service, { token: await issueToken({ ...rights, name: 'Q' }) });
      assert.deepEqual([reply.status, reply.json.reason], [status, reason]);
    }
    assert.equal((await listManagers(service, { token: undefined })).status, 401);
  });

  test('while storage is away the list is 503', async () => {
    const { status, json } = await callWithoutStorage(service, () => listManagers(service, manager), 'managers');
    assert.equal(status, 503);
    assert.match(json.code, /^storage-/);
  });
});
