// Lists: their common query and answer, unless the specification gives a list another form.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { insertTestBank } from '../support/factories.ts';
import { insertTestInstaller, installersPath } from '../support/installers.ts';
import { exampleTargetOf } from '../support/operation-authorization.ts';
import { serviceSuite } from '../support/service-suite.ts';

const searchedLists = [
  'GetBankBookings',
  'GetBankIcons',
  'GetBankLocations',
  'GetBankUsers',
  'GetComputers',
  'GetInstallers',
  'GetLocationIcons',
  'GetLocationUnits',
  'GetManagers',
  'GetUnitIcons',
];
/** A list in the order of time, which cannot be searched. */
const historyLists = ['GetDeviceSyncs', 'GetHeldLines', 'GetImports', 'GetUnitCommands', 'GetUnitSettingHistory'];
/** The specification gives these lists their own form. */
const ownForm = [
  'GetAuditLog',
  'GetBankAccount',
  'GetBankAccountRevision',
  'GetBankDocuments',
  'GetImportRows',
  'GetTenantStatus',
  'GetTenantStatusPage',
  'GetUserReceipts',
  'GetUserReceiptsHtml',
];

const namesOf = ({ query }: Operation): string[] => Object.keys(query?.properties ?? {});
function sortsOf({ query }: Operation): string[] {
  const { sort } = (query?.properties ?? {}) as Record<string, { enum?: string[] }>;
  return sort?.enum ?? [];
}

serviceSuite({ tenants: ['sund'] }, ({ service, manager }) => {
  let operations: Operation[];
  let searched: Operation[];
  let lists: Operation[];
  before(async () => {
    ({ operations } = createOperations(service.dependencies));
    searched = operations.filter(({ id }) => searchedLists.includes(id));
    lists = operations.filter(({ id }) => [...searchedLists, ...historyLists].includes(id));
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      const installers = Array.from({ length: 201 }, (_, index) => ({ installerId: 2001 + index, name: 'Example' }));
      await insertTestInstaller(db, ...installers);
    });
  });
  const list = (operation: Operation, query = '') =>
    service.call('GET', `${exampleTargetOf(operation)}?${query}`, manager);

  test('[general.42] every operation with numbered pages is a list, or has its own form', () => {
    const paged = operations.filter((operation) =>
      namesOf(operation).some((name) => ['offset', 'limit', 'pagesize'].includes(name.toLowerCase())),
    );
    assert.deepEqual(paged.map(({ id }) => id).toSorted(), [...searchedLists, ...historyLists, ...ownForm].toSorted());
  });

  test('[general.42, general.43] a list answers items, offset, limit, hasMore and nextCursor, by default the first 50 items', async () => {
    for (const operation of lists) {
      const { status, json } = await list(operation);
      assert.equal(status, 200, operation.id);
      const { items, hasMore, nextCursor, ...page } = json;
      assert.deepEqual(page, { offset: 0, limit: 50 }, operation.id);
      assert.deepEqual([Array.isArray(items), typeof hasMore], [true, 'boolean'], operation.id);
      assert.equal(typeof nextCursor === 'string', hasMore, operation.id);
      const { json: later } = await list(operation, 'offset=100000&limit=7');
      assert.deepEqual(later, { items: [], offset: 100_000, limit: 7, hasMore: false, nextCursor: null }, operation.id);
    }
  });

  test('[general.42] a list is searched by filter, and sorted by sort in either direction', async () => {
    for (const operation of searched) {
      assert.ok(sortsOf(operation).length > 0, operation.id);
      for (const sort of sortsOf(operation))
        for (const direction of ['asc', 'desc']) {
          const { status } = await list(operation, `sort=${sort}&direction=${direction}&filter=example`);
          assert.equal(status, 200, `${operation.id} by ${sort}`);
        }
      for (const query of ['sort=no-field', 'direction=up', `filter=${'x'.repeat(129)}`])
        assert.equal((await list(operation, query)).status, 400, `${operation.id}?${query}`);
    }
  });

  test('[general.43] a limit of 200 is accepted, and 201 and 0 are 400', async () => {
    for (const operation of lists) {
      const { status, json } = await list(operation, 'limit=200');
      assert.deepEqual([status, json.limit], [200, 200], operation.id);
      for (const limit of [201, 0]) assert.equal((await list(operation, `limit=${limit}`)).status, 400, operation.id);
    }
  });

  test('[general.42, general.43] hasMore says whether items follow the page', async () => {
    for (const [query, length, hasMore] of [
      ['', 50, true],
      ['limit=200', 200, true],
      ['offset=1&limit=200', 200, false],
      ['offset=151', 50, false],
      ['offset=152', 49, false],
      ['filter=nobody', 0, false],
    ] as const) {
      const { json } = await service.call('GET', `${installersPath}?${query}`, manager);
      assert.deepEqual([json.items.length, json.hasMore], [length, hasMore], query);
    }
  });
});
