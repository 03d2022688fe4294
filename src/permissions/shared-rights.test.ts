// The rights that two managers both have, against an oracle that asks each of them about every right.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers, coverageOf } from './coverage.ts';
import { permissions, tabs } from './matrix.ts';
import { noRights, type Grants, type Rights } from './needs.ts';
import { intersectRights } from './shared-rights.ts';

const bankIds = [1001, 1002];
const locationIds = [1, 2, 3];

const anyGrants: fc.Arbitrary<Grants> = fc.record({
  tenantWide: fc.boolean(),
  banks: fc.subarray(bankIds).map((ids) => new Set(ids)),
  locations: fc
    .subarray(bankIds.flatMap((bankId) => locationIds.map((locationId) => [bankId, locationId] as const)))
    .map((places) => {
      const byBank = Map.groupBy(places, ([bankId]) => bankId);
      return new Map([...byBank].map(([bankId, ofBank]) => [bankId, new Set(ofBank.map(([, id]) => id))]));
    }),
});
const anyRights: fc.Arbitrary<Rights> = fc.record({
  tabs: fc.subarray([...tabs]).map((each) => new Set(each)),
  permissions: fc.subarray([...permissions]).map((each) => new Set(each)),
  grants: anyGrants,
});

const coversWhole = (grants: Grants, bankId: number): boolean => coverageOf(grants, bankId) === 'all';
const coversLocation = (grants: Grants, bankId: number, locationId: number): boolean => {
  const coverage = coverageOf(grants, bankId);
  return coverage !== undefined && covers({ coverage }, locationId);
};

test('two managers have a right together exactly if each of them has it', () => {
  fc.assert(
    fc.property(anyRights, anyRights, (one, other) => {
      const both = intersectRights(one, other);
      const check = (name: string, has: (rights: Rights) => boolean): void =>
        assert.equal(has(both), has(one) && has(other), name);
      for (const tab of tabs) check(tab, (rights) => rights.tabs.has(tab));
      for (const permission of permissions) check(permission, (rights) => rights.permissions.has(permission));
      check('tenant', ({ grants }) => grants.tenantWide);
      for (const bankId of bankIds) {
        check(`bank ${bankId}`, ({ grants }) => coversWhole(grants, bankId));
        for (const locationId of locationIds)
          check(`location ${bankId}/${locationId}`, ({ grants }) => coversLocation(grants, bankId, locationId));
      }
    }),
    { numRuns: 500 },
  );
});

test('nobody has a right together with a manager who has none', () => {
  fc.assert(fc.property(anyRights, (rights) => assert.deepEqual(intersectRights(rights, noRights), noRights)));
});
