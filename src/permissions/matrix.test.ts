// The permission matrix: what can be granted, and how clients see it.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areas, groupByArea, flags, isPermission, isTab, permissions, tabs, type Permission } from './matrix.ts';

const everyPermission = [
  'Bank.Read',
  'Bank.Write',
  'Bank.Create',
  'Location.Read',
  'Location.Write',
  'Location.Create',
  'Unit.Read',
  'Unit.Write',
  'Unit.Create',
  'User.Read',
  'User.Write',
  'User.Create',
  'Installer.Read',
  'Installer.Write',
  'Installer.Create',
  'Managers.Read',
  'Managers.Write',
  'Managers.Create',
  'Service.Read',
  'Service.Write',
  'Service.Create',
];

test('[auth.18] the permissions are Read, Write and Create of seven areas, and no others', () => {
  assert.deepEqual(permissions, everyPermission);
  assert.deepEqual(areas, ['Bank', 'Location', 'Unit', 'User', 'Installer', 'Managers', 'Service']);
  assert.deepEqual(flags, ['Read', 'Write', 'Create']);
});

test('a permission or a Tab is recognised only by its exact spelling', () => {
  for (const permission of everyPermission) {
    assert.ok(isPermission(permission));
    for (const other of [permission.toLowerCase(), ` ${permission}`, permission.replace('.', ''), `${permission}s`])
      assert.ok(!isPermission(other), other);
  }
  for (const tab of tabs) {
    assert.ok(isTab(tab));
    assert.ok(!isTab(tab.toLowerCase()));
  }
  for (const name of ['', 'Bank', 'Read', 'constructor', '__proto__', 'Bank.Delete', 'Account', 'Users1']) {
    assert.ok(!isPermission(name), name);
    assert.ok(!isTab(name), name);
  }
});

test('every Tab that an operation group needs can be assigned, once', () => {
  const needed = [
    'Account2',
    'Users2',
    'WashDoc1',
    'WashDoc2',
    'WashDoc3',
    'Logs1',
    'Hosting1',
    'TenantStatus1',
    'Services1',
    'Installers1',
    'Managers1',
    'Bookings1',
  ];
  assert.deepEqual(
    needed.filter((tab) => !isTab(tab)),
    [],
  );
  assert.equal(new Set(tabs).size, tabs.length);
});

test('by area, every permission granted stands under its area and nothing else does', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...permissions]), (granted) => {
      const grouped = groupByArea(new Set<Permission>(granted));
      assert.deepEqual(Object.keys(grouped), areas);
      const pairs = Object.entries(grouped).flatMap(([area, names]) => names.map((flag) => `${area}.${flag}`));
      assert.deepEqual(
        pairs,
        everyPermission.filter((each) => (granted as string[]).includes(each)),
      );
    }),
  );
});
