// Permission decisions, against an oracle that keeps grants as the plain list they are stored as.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions, tabs } from './matrix.ts';
import { coverageOf } from './coverage.ts';
import { findMissingRight, type GrantLevel, type Grants, type Needs, type Rights } from './needs.ts';

/** A grant as it is stored: bank 0 is the whole tenant, location 0 the whole bank. */
type GrantRow = readonly [bankId: number, locationId: number];

const bankIds = [1001, 1002, 1003];
const locationIds = [1, 2, 3];
const grantLevels: readonly GrantLevel[] = ['none', 'location', 'bank', 'tenant'];

function grantsOf(rows: readonly GrantRow[]): Grants {
  const limited = rows.filter(([, locationId]) => locationId !== 0);
  return {
    tenantWide: rows.some(([bankId]) => bankId === 0),
    banks: new Set(rows.flatMap(([bankId, locationId]) => (bankId !== 0 && locationId === 0 ? [bankId] : []))),
    locations: new Map(
      Object.entries(Object.groupBy(limited, ([bankId]) => bankId)).map(([bankId, ofBank = []]) => [
        Number(bankId),
        new Set(ofBank.map(([, locationId]) => locationId)),
      ]),
    ),
  };
}

const anyGrantRow = fc.oneof(
  { weight: 1, arbitrary: fc.constant<GrantRow>([0, 0]) },
  { weight: 2, arbitrary: fc.constantFrom(...bankIds).map((bankId): GrantRow => [bankId, 0]) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...bankIds), fc.constantFrom(...locationIds)) },
);
const anyGrantRows = fc.array(anyGrantRow, { maxLength: 5 });
const anyNeeds: fc.Arbitrary<Needs> = fc.record({
  tabs: fc.shuffledSubarray([...tabs], { maxLength: 3 }),
  permissions: fc.shuffledSubarray([...permissions], { maxLength: 4 }),
  grantLevel: fc.constantFrom(...grantLevels),
});

/** Rights that often have all, or all but one, of what is needed: random ones alone would nearly always lack the Tab. */
const anyCase = fc
  .tuple(anyNeeds, anyGrantRows, fc.infiniteStream(fc.integer({ min: 0, max: 3 })))
  .map(([needs, rows, dice]) => {
    const drop = <T>(all: readonly T[]): Set<T> => new Set(all.filter(() => dice.next().value !== 0));
    const rights: Rights = { tabs: drop(needs.tabs), permissions: drop(needs.permissions), grants: grantsOf(rows) };
    return { needs, rows, rights };
  });

/** How wide the widest grant is, counted as in `breadths`. */
const widestGrantLevel = (rows: readonly GrantRow[]): number =>
  Math.max(0, ...rows.map(([bankId, locationId]) => (bankId === 0 ? 3 : locationId === 0 ? 2 : 1)));

test('[auth.39] the first missing right is found in the order Tab, permissions as declared, grant', () => {
  fc.assert(
    fc.property(anyCase, ({ needs, rows, rights }) => {
      const hurdles = [
        {
          name: `tab ${needs.tabs.join()}`,
          taken: needs.tabs.length === 0 || !rights.tabs.isDisjointFrom(new Set(needs.tabs)),
        },
        ...needs.permissions.map((name) => ({ name: `permission ${name}`, taken: rights.permissions.has(name) })),
        { name: `scope ${needs.grantLevel}`, taken: widestGrantLevel(rows) >= grantLevels.indexOf(needs.grantLevel) },
      ];
      const missing = findMissingRight(needs, rights);
      const found = missing && Object.values(missing).join(' ');
      assert.equal(found, hurdles.find(({ taken }) => !taken)?.name);
    }),
    { numRuns: 500 },
  );
});

test('[auth.18] no permission stands in for another: all the others do not make up for the one missing', () => {
  const grants = grantsOf([[0, 0]]);
  for (const needed of permissions) {
    const needs: Needs = { tabs: [], permissions: [needed], grantLevel: 'none' };
    const others = new Set(permissions.filter((each) => each !== needed));
    assert.deepEqual(findMissingRight(needs, { tabs: new Set(), permissions: others, grants }), {
      kind: 'permission',
      permission: needed,
    });
    assert.equal(findMissingRight(needs, { tabs: new Set(), permissions: new Set([needed]), grants }), undefined);
  }
});

test('any one of several Tabs is enough, and none of the others is', () => {
  const needs: Needs = { tabs: ['WashDoc1', 'WashDoc3', 'WashDoc2'], permissions: [], grantLevel: 'none' };
  const grants = grantsOf([]);
  for (const tab of tabs) {
    const missing = findMissingRight(needs, { tabs: new Set([tab]), permissions: new Set(), grants });
    assert.equal(missing === undefined, tab.startsWith('WashDoc'), tab);
  }
});

test('more rights never lose what fewer rights open', () => {
  fc.assert(
    fc.property(
      anyCase,
      anyGrantRow,
      fc.constantFrom(...tabs),
      fc.constantFrom(...permissions),
      (given, row, tab, permission) => {
        const { needs, rows, rights } = given;
        fc.pre(findMissingRight(needs, rights) === undefined);
        const more: Rights = {
          tabs: new Set([...rights.tabs, tab]),
          permissions: new Set([...rights.permissions, permission]),
          grants: grantsOf([...rows, row]),
        };
        assert.equal(findMissingRight(needs, more), undefined);
      },
    ),
  );
});

test('[auth.19] a grant covers the whole tenant, one whole bank, or one location of one bank', () => {
  fc.assert(
    fc.property(anyGrantRows, (rows) => {
      const grants = grantsOf(rows);
      for (const bankId of bankIds) {
        const coverage = coverageOf(grants, bankId);
        const covers = (locationId: number): boolean => coverage === 'all' || coverage?.has(locationId) === true;
        for (const locationId of locationIds) {
          const granted = rows.some(
            ([bank, location]) => bank === 0 || (bank === bankId && (location === 0 || location === locationId)),
          );
          assert.equal(covers(locationId), granted, `${bankId}/${locationId}`);
        }
        assert.equal(
          coverage === 'all',
          rows.some(([bank, location]) => bank === 0 || (bank === bankId && location === 0)),
        );
      }
    }),
    { numRuns: 300 },
  );
});
