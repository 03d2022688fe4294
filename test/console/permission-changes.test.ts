// How the console turns one permission matrix into another.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  comparePermissions,
  findRole,
  permissionAreas,
  permissionFlags,
  withAllOf,
  withFlag,
  type Matrix,
} from '../../console/src/managers/permission-changes.ts';
import type { ManagerPermissions } from '../../console/src/api/operations.ts';

const matrices: fc.Arbitrary<ManagerPermissions> = fc
  .tuple(...permissionAreas.map(() => fc.subarray(permissionFlags)))
  .map(
    (held) => Object.fromEntries(permissionAreas.map((area, at) => [area, held[at]])) as unknown as ManagerPermissions,
  );

test('[console.25] the changes lead from one matrix to the other, and each changes something', () => {
  fc.assert(
    fc.property(matrices, matrices, (before: Matrix, after: Matrix) => {
      const reached = comparePermissions(before, after).reduce((matrix, { area, flag, isGranted }) => {
        assert.notEqual(matrix[area].includes(flag), isGranted);
        return { ...matrix, [area]: withFlag(matrix[area], flag, isGranted) };
      }, before);
      assert.deepEqual(reached, after);
    }),
  );
});

test('[console.25] what a colleague gets of the reader takes nothing away, and is nothing that the reader lacks', () => {
  fc.assert(
    fc.property(fc.subarray(permissionFlags), fc.subarray(permissionFlags), (held, own) => {
      const reached = withAllOf(held, own);
      for (const flag of permissionFlags)
        assert.equal(reached.includes(flag), held.includes(flag) || own.includes(flag));
    }),
  );
});

test('what is granted goes first, and the right to administer managers last', () => {
  const none = Object.fromEntries(permissionAreas.map((area) => [area, []])) as unknown as ManagerPermissions;
  const before = { ...none, Managers: ['Read', 'Write'], Service: ['Read'] } as const;
  const after = { ...none, Unit: ['Read'] } as const;
  assert.deepEqual(
    comparePermissions(before, after).map(({ area, flag, isGranted }) => `${isGranted ? '+' : '-'}${area}.${flag}`),
    ['+Unit.Read', '-Service.Read', '-Managers.Read', '-Managers.Write'],
  );
});

test('a role is the one with exactly these permissions', () => {
  fc.assert(
    fc.property(matrices, matrices, (one, other) => {
      const roles = [
        { name: 'Reader', permissions: one },
        { name: 'Operator', permissions: other },
      ] as const;
      assert.equal(findRole(roles, one)?.name, 'Reader');
      const isSame = comparePermissions(one, other).length === 0;
      assert.equal(findRole(roles, other)?.name, isSame ? 'Reader' : 'Operator');
      assert.equal(findRole([roles[0]], other)?.name, isSame ? 'Reader' : undefined);
    }),
  );
});
