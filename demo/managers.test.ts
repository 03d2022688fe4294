// Checks the demo managers and their rights.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions, tabs } from '../src/permissions/matrix.ts';
import { createDemoManagers } from './managers.ts';
import { getTenant } from '../test/support/demo-database.ts';

const managers = (tenant: string) =>
  new Map(createDemoManagers(getTenant(tenant), 'hash').map((each) => [each.userName, each]));
const everywhere = [{ bankId: 0, locationId: 0 }];

test('every tenant has the same seven managers, on island three of them deactivated', () => {
  const names = ['owner', 'reader', 'bank', 'location', 'clerk', 'notabs', 'inactive'];
  for (const [tenant, inactive] of [
    ['sund', ['inactive']],
    ['island', ['reader', 'clerk', 'notabs', 'inactive']],
  ] as const) {
    const all = [...managers(tenant).values()];
    assert.deepEqual(
      all.map(({ userName, managerId }) => [userName, managerId]),
      names.map((name, index) => [name, 1001 + index]),
    );
    assert.deepEqual(
      all.filter(({ active }) => !active).map(({ userName }) => userName),
      inactive,
    );
  }
  const island = [...managers('island').values()].filter(({ active }) => active);
  assert.deepEqual(
    island.filter(({ grants }) => grants.some(({ bankId }) => bankId === 0)).map(({ userName }) => userName),
    ['owner'],
  );
});

test('owner may do everything, reader may read everything, clerk may read banks and locations, notabs has no Tab', () => {
  const of = managers('sund');
  assert.deepEqual(
    [of.get('owner')?.permissions, of.get('owner')?.tabs, of.get('owner')?.grants],
    [permissions, tabs, everywhere],
  );
  assert.deepEqual(
    of.get('reader')?.permissions,
    permissions.filter((each) => each.endsWith('.Read')),
  );
  assert.deepEqual([of.get('reader')?.tabs, of.get('reader')?.grants], [tabs, everywhere]);
  assert.deepEqual(
    [of.get('clerk')?.permissions, of.get('clerk')?.grants],
    [['Bank.Read', 'Location.Read'], everywhere],
  );
  assert.deepEqual([of.get('notabs')?.permissions, of.get('notabs')?.tabs], [permissions, []]);
});

test('bank and location are limited to the first bank and its first location', () => {
  const of = managers('sund');
  const areas = ['Bank', 'Location', 'Unit', 'User'];
  const expected = [...areas.flatMap((area) => [`${area}.Read`, `${area}.Write`]), 'User.Create'];
  assert.deepEqual([...(of.get('bank')?.permissions ?? [])].toSorted(), expected.toSorted());
  assert.deepEqual([of.get('bank')?.tabs, of.get('bank')?.grants], [tabs, [{ bankId: 1001, locationId: 0 }]]);
  const { location } = Object.fromEntries(of);
  assert.deepEqual(
    [...(location?.permissions ?? [])].toSorted(),
    [...areas.map((area) => `${area}.Read`), 'Unit.Write'].toSorted(),
  );
  assert.deepEqual([location?.tabs, location?.grants], [tabs, [{ bankId: 1001, locationId: 1 }]]);
  assert.deepEqual(
    [...of.values()].map(({ retentionDays }) => retentionDays),
    [null, null, null, 90, null, null, null],
  );
});
