// Who can read overviews of places, which queries they accept, and how they are refused.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken, type ManagerOptions } from '../support/factories.ts';
import { createBankTreeModel, createLocationModel, replacePlaces, createUnitModel } from '../support/place-trees.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { serviceSuite } from '../support/service-suite.ts';

const places = [
  createBankTreeModel(1001, [
    createLocationModel(1, [createUnitModel(1)]),
    createLocationModel(2, [createUnitModel(1)]),
    createLocationModel(3, [createUnitModel(1)], { deleted: true }),
  ]),
  createBankTreeModel(1002, [createLocationModel(1, [createUnitModel(1)])]),
  createBankTreeModel(1003, [createLocationModel(1, [createUnitModel(1)])], { deleted: true }),
];

const ofBanks: Permission[] = ['Bank.Read'];
const ofLocations: Permission[] = ['Bank.Read', 'Location.Read'];
const ofUnits: Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];

type Overview = {
  readonly path: string;
  readonly needs: Permission[];
  readonly sorts: string[];
};
const overviews: readonly Overview[] = [
  { path: 'banks/icons', needs: ofBanks, sorts: ['kid', 'name'] },
  { path: 'banks/{kid}/locations', needs: ofLocations, sorts: ['kid', 'name', 'address'] },
  { path: 'banks/{kid}/location-icons', needs: ofLocations, sorts: ['kid'] },
  { path: 'locations/{kid}/units', needs: ofUnits, sorts: ['kid', 'name', 'unitType'] },
  { path: 'locations/{kid}/unit-icons', needs: ofUnits, sorts: ['kid'] },
];
const first = ({ path }: Overview): string =>
  path.replace('{kid}', path.startsWith('banks') ? 'sund-B1001' : 'sund-B1001-L1');
const [, ...ofOne] = overviews;

const atLocation1: ManagerOptions = { grants: [{ bankId: 1001, locationId: 1 }] };

serviceSuite({ tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken }) => {
  before(async () => {
    await service.write('sund', (db) => replacePlaces(db, places));
  });

  const get = (path: string, as = manager.token): Promise<HttpReply> =>
    service.call('GET', `/api/v1/${path}`, { token: as });

  for (const overview of overviews)
    test(`[places.07, places.09, places.12] ${overview.path}: any Tab, the Reads it names and any grant are enough, and each is needed`, async () => {
      const { needs } = overview;
      const path = first(overview);
      for (const tab of tabs) {
        const { status } = await get(path, await issueToken({ tabs: [tab], permissions: needs, ...atLocation1 }));
        assert.equal(status, 200, tab);
      }
      for (const grants of [[{ bankId: 1001, locationId: 0 }], [{ bankId: 0, locationId: 0 }]])
        assert.equal((await get(path, await issueToken({ tabs: ['Units1'], permissions: needs, grants }))).status, 200);
      const refused: [options: ManagerOptions, named: RegExp][] = [
        [{ tabs: [] }, /Tab/],
        ...needs.map((missing): [ManagerOptions, RegExp] => [
          { permissions: permissions.filter((each) => each !== missing) },
          new RegExp(missing.replace('.', String.raw`\.`)),
        ]),
        [{ grants: [] }, /grant/],
      ];
      for (const [options, named] of refused) {
        const { status, json } = await get(path, await issueToken(options));
        assert.deepEqual([status, json.code], [403, 'forbidden']);
        assert.match(json.detail, named);
      }
      assert.equal((await service.call('GET', `/api/v1/${path}`)).status, 401);
    });

  test('[places.14, auth.40] a place that is missing, deleted or not visible gets the same refusal, byte for byte', async () => {
    const bank1 = await issueToken({ grants: [1001, 1003].map((bankId) => ({ bankId, locationId: 0 })) });
    const location1 = await issueToken({
      grants: [...(atLocation1.grants ?? []), { bankId: 1001, locationId: 3 }, { bankId: 1003, locationId: 1 }],
    });
    const banks: [token: string, kids: string[]][] = [
      [manager.token, ['B1003', 'B9999']],
      [bank1, ['B1002', 'B1003', 'B9999']],
      [location1, ['B1002', 'B1003', 'B9999']],
    ];
    const locations: typeof banks = [
      [manager.token, ['B1001-L3', 'B1001-L9', 'B1003-L1', 'B9999-L1']],
      [bank1, ['B1001-L3', 'B1001-L9', 'B1002-L1', 'B1003-L1', 'B9999-L1']],
      [location1, ['B1001-L2', 'B1001-L3', 'B1001-L9', 'B1002-L1', 'B1003-L1', 'B9999-L1']],
    ];
    const replies: HttpReply[] = [];
    for (const { path } of ofOne)
      for (const query of ['', '?sort=kid&direction=desc', '?filter=a'])
        for (const [as, kids] of path.startsWith('banks') ? banks : locations)
          for (const kid of kids) replies.push(await get(path.replace('{kid}', `sund-${kid}`) + query, as));
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    const { date: _date, 'x-request-id': _id, traceparent: _trace, ...plain } = replies[0]?.headers ?? {};
    // Which of them depend on the language is told by the operation, not by what there is.
    const { 'content-language': _language, vary: _vary, ...common } = plain;
    for (const { headers } of replies)
      for (const [name, value] of Object.entries(common)) assert.equal(headers[name], value, name);
  });

  test('[places.15] a value that is not a KID of the right kind and of this tenant is 400 invalid-kid', async () => {
    const malformed = ['sund-B01', 'sund-b1001', 'sund-B0', 'sund-B2147483648', 'x', '%20', 'sund', 'fjord-B1001'];
    const wrongForBank = [...malformed, 'sund-B1001-L1', 'sund-B1001-R1001', 'icons', 'fjord-B1001-L1'];
    const wrongForLocation = [...malformed, 'sund-B1001', 'sund-B1001-L1-U1', 'sund-B1001-L01', 'fjord-B1001-L1'];
    for (const { path } of ofOne)
      for (const kid of path.startsWith('banks') ? wrongForBank : wrongForLocation) {
        const { status, json } = await get(path.replace('{kid}', kid));
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], `${path} ${kid}`);
      }
    // A session is bound to its tenant's host.
    const { token: other } = await createToken(service, { tenant: 'fjord' });
    for (const overview of overviews) assert.equal((await get(first(overview), other)).status, 401);
  });

  test('[places.07] the router distinguishes the icons of banks from the banks', async () => {
    assert.equal((await get('banks/icons')).json.items[0].kid, 'sund-B1001');
    assert.equal((await get('banks/icons?sort=name')).status, 200);
    for (const path of ['banks/icons/account', 'banks/icons/settlements'])
      assert.deepEqual((await get(path)).json.code, 'invalid-kid', path);
    for (const path of ['banks/icons/', 'banks/Icons', 'banks/sund-B1001', 'banks'])
      assert.deepEqual((await get(path)).json.code, 'unknown-route', path);
    for (const overview of overviews)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await service.call(method, `/api/v1/${first(overview)}`, manager);
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS']);
      }
  });

  test('queries with an invalid value or name are refused', async () => {
    const wrong = [
      'limit=0',
      'limit=201',
      'limit=x',
      'offset=-1',
      'offset=100001',
      'sort=size',
      'sort=',
      'direction=up',
    ];
    const more = ['page=1', 'limit=1&limit=2', `filter=${'x'.repeat(129)}`, 'sort=Kid'];
    for (const overview of overviews) {
      for (const query of [...wrong, ...more]) {
        const { status, json } = await get(`${first(overview)}?${query}`);
        assert.deepEqual([status, json.code], [400, 'invalid-request'], `${overview.path} ${query}`);
      }
      for (const sort of overview.sorts)
        assert.equal((await get(`${first(overview)}?Sort=${sort}&LIMIT=200&offset=100000&filter=`)).status, 200);
    }
  });

  test('storage that cannot be reached is 503', async () => {
    for (const overview of overviews) {
      const ask = (): Promise<HttpReply> => get(first(overview));
      assert.equal((await ask()).status, 200);
      const { status, json, headers } = await callWithoutStorage(service, ask);
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
      assert.equal((await ask()).status, 200);
    }
  });
});
